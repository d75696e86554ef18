/** A service whose mounts and provider fail: /status and `doctor --service` say which, and all goes on. */
import { type ChildProcessByStdio, execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packagePath } from "../../../../src/platform/package-root.js";
import {
  build,
  processesWith,
  run,
  Serving,
  type Settings,
  testSolrSettings,
} from "../../../cli/command.js";
import { byBusyness, expectBelow } from "../../../support/run/bounds.js";
import { freshFolder } from "../../../support/run/folders.js";
import { CLIENT, useProvider } from "../../../support/service/identity-provider.js";

interface Check {
  readonly name: string;
  readonly state: string;
  readonly says: string;
  readonly detail?: string;
}

let mounted: string;
let mount: ChildProcessByStdio<Writable, Readable, null> | undefined;
let settings: Settings;
const provider = useProvider();
let service: Serving;

/** A mount of one's own, in a place of one's own: nobody else on this machine is to hang on it. */
function canMount(): boolean {
  try {
    execFileSync("unshare", ["-m", "true"], { stdio: "ignore" });
    return existsSync("/dev/fuse") && process.getuid?.() === 0;
  } catch {
    return false;
  }
}
const mounts = canMount();

/** Tells the mount what to do, and waits until it does. */
function tellMount(order: "hang" | "answer"): Promise<void> {
  const child = mount;
  if (child === undefined) throw new Error("nothing is mounted");
  return new Promise((resolve) => {
    child.stdout.once("data", () => resolve());
    child.stdin.write(`${order}\n`);
  });
}

beforeAll(async () => {
  build();
  const folder = freshFolder();
  mounted = join(folder, "mounted");
  await mkdir(mounted);
  if (mounts) {
    const script = packagePath("test", "support", "programs", "hanging_mount.py");
    mount = spawn("unshare", ["-m", "python3", script, mounted], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const { stdout } = mount;
    await new Promise<void>((resolve) => stdout.once("data", () => resolve()));
  }
  settings = {
    ...testSolrSettings(),
    DATA_DIR: join(folder, "var"),
    DATA_ROOTS: `${packagePath("data", "files")}:${mounted}`,
    OIDC_DISCOVERY_URL: provider.discoveryUrl,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
  };
  service = await Serving.start(settings, undefined, within());
});
afterAll(async () => {
  if (mount) await tellMount("answer");
  await service?.end();
  mount?.stdin.end();
});

/** A command that runs the next one where the mount is. */
const within = (): string[] => (mount ? ["nsenter", "-t", String(mount.pid), "-m"] : []);

async function ask(): Promise<{ checks: Check[]; milliseconds: number }> {
  const begin = performance.now();
  const response = await service.get("/status");
  const { checks } = (await response.json()) as { checks: Check[] };
  return { checks, milliseconds: performance.now() - begin };
}
const told = async (name: string): Promise<string> => {
  const { state, says } = (await ask()).checks.find((one) => one.name === name) ?? {};
  return `${state}: ${says}`;
};
/** The finding about the provider is kept for half a minute. */
const LATE = { timeout: 60_000, interval: 1000 };
const SOON = { timeout: 30_000, interval: 200 };

async function doctor(more: Settings = {}) {
  const options = { settings: { ...settings, ...more }, under: within() };
  const host = ["--host", service.address];
  const { status, stdout, stderr } = await run(["doctor", "--service", "--json", ...host], options);
  expect(stderr).toBe("");
  const { checks } = JSON.parse(stdout) as { checks: Check[] };
  const named = new Map(checks.map((one) => [one.name, one]));
  return {
    status,
    stdout,
    named,
    of: (name: string) => `${named.get(name)?.state}: ${named.get(name)?.says}`,
  };
}

describe("a healthy service", () => {
  it("is reported by the doctor with 0, with all its addresses, and in lines for a terminal", async () => {
    const { status, named, stdout } = await doctor();
    const bad = [...named.values()].filter(({ state }) => state !== "ok");
    expect(bad).toEqual([]);
    expect(status).toBe(0);
    for (const name of [
      "service",
      "ready",
      "search",
      "index",
      "data-2",
      "disk",
      "identity-provider",
      "keys",
      "address",
      "software",
    ])
      expect([...named.keys()]).toContain(name);
    expect(named.get("data-2")?.detail).toContain(mounted);
    expect(stdout).not.toContain(settings.SOLR_PASSWORD);
    const host = ["--host", service.address];
    const lines = await run(["doctor", "--service", ...host], { settings, under: within() });
    expect(lines.status).toBe(0);
    expect(lines.stdout).toMatch(/^ok {7}search {13}[\d,]+ entr(y|ies) can be searched/m);
    expect(lines.stdout).toMatch(/^\d+ checks: 0 failed, 0 with warnings\.$/m);
  });
});

describe.skipIf(!mounts)("a mount that hangs", () => {
  it("is reported within 5 s, delays nothing, occupies one process, and recovers without a restart", async () => {
    await expect.poll(() => told("data-2"), SOON).toBe("ok: Data root 2 of 2 can be read.");
    await tellMount("hang");
    const begin = Date.now();
    const pings: number[] = [];
    const toldAndPinged = async (): Promise<string> => {
      const asked = performance.now();
      await (await service.get("/ping")).text();
      pings.push(performance.now() - asked);
      return told("data-2");
    };
    await expect.poll(toldAndPinged, SOON).toBe("failed: Data root 2 of 2 does not answer.");
    expectBelow(Date.now() - begin, 5500 + byBusyness(pings));
    // A file's owner, as whoever runs it, is not to be kept either.
    const { status, named } = await doctor();
    expect(status).toBe(1);
    expect(named.get("data-2")).toMatchObject({ state: "failed", detail: mounted });
    // Beside what a busy machine takes.
    const times: number[] = [];
    for (let i = 0; i < 20; i++) {
      const begin = performance.now();
      await (await service.get("/ping")).text();
      const ping = performance.now() - begin;
      times.push((await ask()).milliseconds - ping);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expectBelow(times.sort((a, b) => a - b)[10], 200);
    for (const path of ["/ping", "/ready", "/databrowser/overview"]) {
      expect((await service.get(path)).status, path).toBe(200);
    }
    expect(await told("data-1")).toBe("ok: Data root 1 of 2 can be read.");
    // The service's, which no signal reaches.
    const left = () => processesWith(mounted).filter(({ args }) => !args.includes("hanging_mount"));
    expect(left().length).toBeGreaterThan(0);
    expect(left().length).toBeLessThanOrEqual(1);
    for (const { pid } of left()) process.kill(pid, "SIGKILL");
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(left().length).toBeGreaterThan(0);
    await tellMount("answer");
    await expect.poll(() => told("data-2"), SOON).toBe("ok: Data root 2 of 2 can be read.");
    await expect.poll(left, SOON).toEqual([]);
  });
});

describe("outside causes", () => {
  it("reports a provider that is away", async () => {
    await provider.stop();
    const gone = "failed: The identity provider does not answer as it should.";
    await expect.poll(async () => (await doctor()).of("identity-provider"), LATE).toBe(gone);
    expect((await doctor()).status).toBe(1);
    await provider.start();
  });

  it("reports a service that does not run with 1, and makes nothing", async () => {
    const missing = join(mounted, "..", "nothing");
    const alone = { PORT: "1", DATA_DIR: missing, DATA_ROOTS: missing };
    const { status, stdout } = await run(["doctor", "--service"], { settings: alone });
    expect(status).toBe(1);
    expect(stdout).toMatch(/^failed {3}service {2}The service does not answer\.$/m);
    expect(stdout).toMatch(/^ +http:\/\/127\.0\.0\.1:1\/api\/climate-nextgen: .+$/m);
    expect(existsSync(missing)).toBe(false);
    const both = await run(["doctor", "--service", "/data"], { settings: alone });
    expect([both.status, both.stderr]).toEqual([
      2,
      "--service checks no files: leave out the paths.\n",
    ]);
  });
});
