/** Tokens that are kept between runs, with processes that want them at the same time. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Token } from "../../../src/cli/client/index.js";
import { TokenCache } from "../../../src/cli/client/token-cache.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { freshFolder } from "../../support/run/folders.js";
import { startService, type TestService } from "../../support/service/service.js";
import { addUser, refresh, signIn } from "../../support/service/sign-in.js";
import { build, run } from "../command.js";

let folder: string;
const children: ChildProcess[] = [];
beforeAll(async () => {
  build();
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** Another process that has the lock. */
async function holder(): Promise<ChildProcess> {
  folder = freshFolder();
  const script = packagePath("test", "support", "service", "hold-tokens.ts");
  const child = spawn(process.execPath, ["--import", "tsx", script, folder], {
    cwd: packagePath(),
    stdio: ["pipe", "pipe", "inherit"],
  });
  children.push(child);
  await once(child.stdout, "data");
  return child;
}

/** Makes all that lies in the folder look as if it had been written a day ago. */
async function age(): Promise<void> {
  const dayAgo = Date.now() / 1000 - 86_400;
  for (const name of await readdir(folder, { recursive: true })) {
    await utimes(join(folder, name), dayAgo, dayAgo);
  }
}

/** Wants the lock too; `got` says whether it has had it. */
function rival(): { readonly got: () => boolean; readonly done: Promise<void> } {
  let got = false;
  const done = new TokenCache(folder).alone(async () => {
    got = true;
  });
  return { got: () => got, done };
}

describe("a process that uses the cached tokens", () => {
  it("keeps them locked also when it is stopped for a day", async () => {
    const child = await holder();
    child.kill("SIGSTOP");
    await age();
    const { got, done } = rival();
    await sleep(1500);
    expect(got()).toBe(false);
    child.kill("SIGCONT");
    child.stdin?.end();
    await done;
    expect(got()).toBe(true);
  });

  it("leaves them to the next one when it is killed", async () => {
    const child = await holder();
    child.kill("SIGKILL");
    await once(child, "close");
    const { done } = rival();
    await done;
  });

  it("keeps them locked also when it runs on another machine or in another container", async () => {
    folder = freshFolder();
    await mkdir(join(folder, "tokens.lock"));
    const claim = { pid: 7, started: "a:1", since: Date.now() - 5000, place: "another machine" };
    const path = join(folder, "tokens.lock", "7-abcdef.json");
    await writeFile(path, JSON.stringify(claim));
    const { got, done } = rival();
    await sleep(1500);
    expect(got()).toBe(false);
    expect(await readFile(path, "utf8")).toContain("another machine");
    await writeFile(path, "{}");
    await done;
  });
});

describe("twenty processes at once", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
    await addUser(service.dataDir, "demo");
  });
  afterAll(() => service.close());

  it("renew one chain of refresh tokens one after the other, and none is signed out", async () => {
    const config = freshFolder();
    const { refresh_token: first } = await signIn(service, "demo");
    const settings = {
      XDG_CONFIG_HOME: config,
      HOME: config,
      CLIMATE_NEXTGEN_REFRESH_TOKEN: first,
    };
    const ended = await Promise.all(
      Array.from({ length: 20 }, () =>
        run(["auth", "--host", service.address, "--force"], { settings }),
      ),
    );
    expect(ended.map(({ stderr }) => stderr).join("")).toBe("");
    const tokens = ended.map(({ stdout }) => (JSON.parse(stdout) as Token).refresh_token);
    expect(new Set(tokens).size).toBe(20);
    const kept = JSON.parse(
      await readFile(join(config, "climate-nextgen", "tokens.json"), "utf8"),
    ) as Record<string, { token: Token }>;
    const newest = kept[service.address]?.token.refresh_token ?? "";
    expect(tokens).toContain(newest);
    expect((await refresh(service, newest)).status).toBe(200);
  });
});
