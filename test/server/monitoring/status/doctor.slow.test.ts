/** A service whose mounts, clock, provider and certificates fail: /status and `doctor --service` say which, and all goes on. */
import { type ChildProcessByStdio, execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packagePath } from "../../../../src/platform/package-root.js";
import {
  build,
  freshFolder,
  processesWith,
  removeFolders,
  run,
  Serving,
  type Settings,
  testSolrSettings,
} from "../../../cli/command.js";
import { type Authority, makeAuthority } from "../../../support/network/certificates.js";
import { FAKETIME, findProgram } from "../../../support/programs/debian.js";
import { byBusyness, expectBelow } from "../../../support/run/bounds.js";
import {
  CLIENT,
  type IdentityProvider,
  startProvider,
} from "../../../support/service/identity-provider.js";

interface Check {
  readonly name: string;
  readonly state: string;
  readonly says: string;
  readonly detail?: string;
}

let mounted: string;
let mount: ChildProcessByStdio<Writable, Readable, null> | undefined;
let stamp: string;
let settings: Settings;
let provider: IdentityProvider;
let authority: Authority;
let tls: Server;
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
const faketime = findProgram(FAKETIME)?.path;

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
  const folder = await freshFolder();
  mounted = join(folder, "mounted");
  stamp = join(folder, "clock");
  await mkdir(mounted);
  await writeFile(stamp, "+0\n");
  if (mounts) {
    const script = packagePath("test", "support", "programs", "hanging_mount.py");
    mount = spawn("unshare", ["-m", "python3", script, mounted], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const { stdout } = mount;
    await new Promise<void>((resolve) => stdout.once("data", () => resolve()));
  }
  provider = await startProvider();
  authority = await makeAuthority();
  const { certificate, key } = await authority.sign("service.example.org", 10);
  const pair = { cert: await readFile(certificate), key: await readFile(key) };
  tls = createServer(pair).listen(0, "127.0.0.1");
  settings = {
    ...testSolrSettings(),
    DATA_DIR: join(folder, "var"),
    DATA_ROOTS: `${packagePath("data", "files")}:${mounted}`,
    OIDC_DISCOVERY_URL: provider.discoveryUrl,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
  };
  const clock: Settings =
    faketime === undefined
      ? {}
      : {
          LD_PRELOAD: faketime,
          FAKETIME_TIMESTAMP_FILE: stamp,
          FAKETIME_NO_CACHE: "1",
          FAKETIME_DONT_FAKE_MONOTONIC: "1",
        };
  service = await Serving.start({ ...settings, ...clock }, undefined, within());
});
afterAll(async () => {
  if (mount) await tellMount("answer");
  await service?.end();
  mount?.stdin.end();
  tls?.close();
  await provider?.stop();
  await authority?.remove();
  await removeFolders();
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
      "status",
      "search",
      "index",
      "data-2",
      "disk",
      "clock",
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
    expect(named.get("status")?.detail).toContain("Data root 2 of 2 does not answer.");
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
    // The service's and the doctor's, which no signal reaches.
    const left = () => processesWith(mounted).filter(({ args }) => !args.includes("hanging_mount"));
    expect(left().length).toBeGreaterThan(0);
    expect(left().length).toBeLessThanOrEqual(2);
    for (const { pid } of left()) process.kill(pid, "SIGKILL");
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(left().length).toBeGreaterThan(0);
    await tellMount("answer");
    await expect.poll(() => told("data-2"), SOON).toBe("ok: Data root 2 of 2 can be read.");
    await expect.poll(left, SOON).toEqual([]);
  });
});

describe.skipIf(faketime === undefined)("a clock that jumps", () => {
  it("is reported with the difference and the other clock, also when it is set back", async () => {
    await expect.poll(() => told("clock"), SOON).toBe("ok: The clocks agree.");
    await writeFile(stamp, "+120\n");
    await expect
      .poll(() => told("clock"), SOON)
      .toMatch(/^failed: The clock of the \w+ \w+ differs by 1(19|20|21) seconds\.$/);
    expect((await service.get("/ping")).status).toBe(200);
    expect((await service.get("/ready")).status).toBe(200);
    await writeFile(stamp, "+0\n");
    await expect
      .poll(() => told("clock"), SOON)
      .toMatch(/^warning: The clock of the service was set back by 1(19|20|21) seconds\.$/);
  });
});

describe("outside causes", () => {
  it("are reported: a provider that is away, a certificate that expires soon or has expired", async () => {
    await provider.stop();
    const { port } = tls.address() as AddressInfo;
    const BASE_URL = `https://localhost:${port}`;
    const trusted = { NODE_EXTRA_CA_CERTS: authority.certificate };
    const soon = await doctor({ BASE_URL, ...trusted });
    expect(soon.status).toBe(1);
    expect(soon.of("identity-provider")).toBe(
      "failed: The identity provider does not answer as it should.",
    );
    expect(soon.of("certificates")).toMatch(
      /^warning: The certificate of this service ends in (9|10) days\.$/,
    );
    const { certificate, key } = await authority.sign("service.example.org", -1);
    tls.setSecureContext({ cert: await readFile(certificate), key: await readFile(key) });
    const ended = await doctor({ BASE_URL, ...trusted });
    expect(ended.of("certificates")).toBe("failed: The certificate of this service has ended.");
    const unknown = await authority.sign("service.example.org", 90);
    tls.setSecureContext({
      cert: await readFile(unknown.certificate),
      key: await readFile(unknown.key),
    });
    const untrusted = await doctor({ BASE_URL });
    expect(untrusted.of("certificates")).toBe(
      "failed: The certificate of this service is not trusted here.",
    );
    await provider.start();
  });

  it("are reported with 1, and nothing is made: no service, no Solr, no data folder", async () => {
    const missing = join(mounted, "..", "nothing");
    const alone = { PORT: "1", DATA_DIR: missing, DATA_ROOTS: missing };
    const { status, stdout } = await run(["doctor", "--service"], { settings: alone });
    expect(status).toBe(1);
    expect(stdout).toMatch(/^failed {3}service +The service does not answer\.$/m);
    expect(stdout).toMatch(/^failed {3}search +The embedded Solr does not run\.$/m);
    expect(stdout).toMatch(/^failed {3}data-1 +The data folder is not there\.$/m);
    expect(existsSync(missing)).toBe(false);
    const both = await run(["doctor", "--service", "/data"], { settings: alone });
    expect([both.status, both.stderr]).toEqual([
      2,
      "--service checks no files: leave out the paths.\n",
    ]);
  });
});
