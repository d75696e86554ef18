/** The audit of a service as people run it: two workers, commands beside it, a kill, and what the files add up to. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  processesWith,
  run,
  runHere,
  Serving,
  type Settings,
  testSolrSettings,
} from "../../cli/command.js";
import { freshFolder } from "../../support/run/folders.js";
import { forgetAccounts, testClient } from "../../support/service/service.js";

const KEY = "a key of tests, long enough";
const PASSWORD = "correct horse battery staple";
const NAME = `ada-${crypto.randomUUID().slice(0, 8)}`;

let folder: string;
let settings: Settings;
let service: Serving;

beforeAll(async () => {
  await forgetAccounts(testClient());
  folder = join(freshFolder(), "audit");
  settings = {
    ...testSolrSettings(),
    DATA_DIR: freshFolder(),
    WORKERS: "2",
    AUDIT: folder,
    AUDIT_KEY: KEY,
  };
  service = await Serving.start(settings);
});
afterAll(async () => {
  await service.end();
  await forgetAccounts(testClient());
});

type Line = Readonly<Record<string, unknown>>;

async function lines(): Promise<Line[]> {
  const names = (await readdir(folder)).filter((name) => name.startsWith("audit-"));
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  return texts
    .join("")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}

const events = async (event: string): Promise<Line[]> =>
  (await lines()).filter((line) => line.event === event);

describe("the audit of two workers", () => {
  it("has what commands change, by the pseudonym of `audit pseudonym`", async () => {
    const input = `${PASSWORD}\n`;
    const added = await run(["users", "add", NAME, "--password-stdin"], { settings, input });
    expect(added.status, added.stderr).toBe(0);
    const told = await runHere(["audit", "pseudonym", NAME], { settings });
    const name = told.stdout.trim();
    expect(name).toMatch(/^p\.[\w-]{16}$/);
    expect((await events("account")).at(-1)).toMatchObject({ action: "user-added", name });
    expect((await runHere(["users", "disable", "nobody-of-this-name"], { settings })).status).toBe(
      1,
    );
    expect(await events("account")).toHaveLength(2);
  });

  it("has the requests of both, complete, without a name, and goes on after SIGHUP", async () => {
    service.child.kill("SIGHUP");
    const form = { username: NAME, password: PASSWORD };
    const statuses = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const headers = { Connection: "close" };
        const body = new URLSearchParams(form);
        return (await service.get("/auth/v2/token", { method: "POST", headers, body })).status;
      }),
    );
    const granted = statuses.filter((status) => status === 200).length;
    expect(granted).toBeGreaterThan(0);
    await expect
      .poll(
        async () => (await events("sign-in")).filter(({ outcome }) => outcome === "done").length,
      )
      .toBe(granted);
    const began = (await events("recording")).map(({ process }) => process);
    expect(new Set(began).size).toBe(2);
    const text = JSON.stringify(await lines());
    for (const secret of [NAME, PASSWORD, '"address":"127', KEY])
      expect(text).not.toContain(secret);
  });

  it("adds up in `statistics`, also when a worker was killed", async () => {
    const search = "/databrowser/data-search/cmip6/file?source_id=never-heard-of";
    for (let i = 0; i < 6; i += 1) await (await service.get(search)).text();
    const worker = processesWith("worker-process").find(({ environment }) =>
      environment.includes(folder),
    );
    process.kill(worker?.pid ?? 0, "SIGKILL");
    await service.end();
    const endings = (await events("recording")).filter(({ action }) => action === "ended");
    expect(endings.length).toBeGreaterThan(0);
    service = await Serving.start({ ...settings, WORKERS: "1" });
    for (let i = 0; i < 3; i += 1) await (await service.get(search)).text();
    await service.end();

    const { stdout, stderr, status } = await runHere(["statistics", "--days", "2", "--json"], {
      settings,
    });
    expect(`${status} ${stderr}`).toBe("0 ");
    const sums = JSON.parse(stdout);
    expect(sums).toMatchObject({ accounts: 1, lost: 0 });
    const found = sums.nothing.find((one: Line) => one.search === "model=never-heard-of");
    // What the killed one had gathered is lost, and nothing else.
    expect(found.count).toBeGreaterThanOrEqual(3);
    expect(found.count).toBeLessThanOrEqual(9);
    const table = await runHere(["statistics"], { settings });
    expect(table.stdout).toMatch(/^From \d{4}-\d{2}-\d{2} to \d{4}-\d{2}-\d{2}; 1 account /);
    expect(table.stdout).toMatch(/ +\d {2}cmip6 +model=never-heard-of$/m);
    const none = await runHere(["statistics", "--from", "2001-01-01", "--to", "2001-01-02"], {
      settings,
    });
    expect(none.stdout).toBe("Nothing was recorded from 2001-01-01 to 2001-01-02.\n");
  });

  it("prevents the start of a service that could not record", async () => {
    const { stderr, status } = await run(["serve"], {
      settings: { ...settings, WORKERS: "1", AUDIT: "/dev/null/x" },
    });
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^The folder of AUDIT, \/dev\/null\/x, cannot be used \(a part of the path is not a folder\)\.$/m,
    );
    const short = await run(["serve"], { settings: { ...settings, AUDIT_KEY: "my-secret" } });
    expect(short.stderr).toMatch(/^AUDIT_KEY .*\b16\b.*\n$/);
  });

  it("is printed among the lines of the log on request", async () => {
    service = await Serving.start({
      ...settings,
      WORKERS: "1",
      AUDIT: "stdout",
      LOG_LEVEL: "silent",
    });
    const { stdout } = await service.end();
    const printed = stdout.split("\n").filter((line) => line.startsWith("{"));
    const parsed = printed.map((line) => JSON.parse(line) as Line);
    expect(parsed.map(({ audit, event, action }) => [audit, event, action])).toEqual([
      [true, "recording", "began"],
      [true, "recording", "ended"],
    ]);
  });
});
