/** A real Chromium without a screen: the machine's, or Debian's package in the user's cache. */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { CHROMIUM, findProgram, makeProgram } from "../programs/debian.js";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
/** Of an unpacked package: starts Chromium with the libraries beside it. */
const STARTER = "start-chromium";

/** The program; undefined if it is neither on the machine nor made. */
export function findChromium(): string | undefined {
  const own = PLACES.find((place) => existsSync(place));
  if (own !== undefined) return own;
  const unpacked = findProgram(CHROMIUM);
  return unpacked === undefined ? undefined : join(unpacked.root, STARTER);
}

/** Unpacks Chromium unless there is one. */
export async function makeChromium(): Promise<void> {
  if (findChromium() !== undefined) return;
  await makeProgram(CHROMIUM, async (draft) => {
    const lines = [
      "#!/bin/sh",
      'here=$(dirname "$0")',
      'libraries=$(sed "s|^|$here/|" "$here/libraries" | paste -sd:)',
      'LD_LIBRARY_PATH="$libraries" exec "$here/usr/lib/chromium/chromium-headless-shell" "$@"\n',
    ];
    await writeFile(join(draft, STARTER), lines.join("\n"), { mode: 0o755 });
  });
}

/** Starts Chromium. The caller closes it. */
export function startBrowser(executablePath: string): Promise<Browser> {
  // As root, as in a container, it runs without a sandbox of its own only; the pages are ours.
  const args = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"];
  return chromium.launch({ executablePath, args, timeout: 120_000 });
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
