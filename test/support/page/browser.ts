/** A real Chromium without a screen: the machine's, or Debian's package, installed where this may be done. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/**
 * The program; undefined where there is none to be had, which a test must not pass over in CI. For a beforeAll with
 * some minutes of time: to install it takes one or two.
 */
export function findChromium(): string | undefined {
  const found = (): string | undefined => PLACES.find((place) => existsSync(place));
  const present = found();
  if (present !== undefined) return present;
  try {
    if (process.getuid?.() !== 0) throw new Error("only root can install it");
    // Where another run installs as well, it is waited for.
    const apt = (...words: string[]): void => {
      const all = ["-q", "-y", "-o", "DPkg::Lock::Timeout=300", ...words];
      const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
      execFileSync("apt-get", all, { stdio: "pipe", timeout: 600_000, env });
    };
    apt("update");
    apt("install", "--no-install-recommends", "chromium");
    return found();
  } catch (error) {
    if (process.env.CI === "true") throw new Error("Chromium cannot be had", { cause: error });
    console.warn("Chromium cannot be had: what is said of it is not tried.");
    return undefined;
  }
}

/** Starts it; whoever starts it closes it. */
export function startBrowser(executablePath: string): Promise<Browser> {
  // As root, as in a container, it runs without a sandbox of its own only; the pages are ours.
  const args = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"];
  return chromium.launch({ executablePath, args, timeout: 60_000 });
}

let shared: Promise<Browser> | undefined;

/** The one of this worker, for pages in contexts of their own. It ends with the worker: nobody closes it. */
export function sharedBrowser(executablePath: string): Promise<Browser> {
  shared ??= startBrowser(executablePath);
  return shared;
}

/** Closes all that is open in the browser of this worker. */
export async function closePages(): Promise<void> {
  const browser = await shared;
  await Promise.all((browser?.contexts() ?? []).map((context) => context.close()));
}
