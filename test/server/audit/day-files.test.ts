/** Files of a day: who writes to them at once, what happens to them, and what cannot be written. */
import { execFile, spawnSync } from "node:child_process";
import {
  chmod,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { packagePath } from "../../../src/platform/package-root.js";
import { DayFiles } from "../../../src/server/audit/day-files.js";
import { lineOf } from "../../../src/server/audit/line.js";
import { Statistics } from "../../../src/server/audit/statistics.js";
import { RequestContext } from "../../../src/server/http/request-context.js";
import { expectBelow } from "../../support/run/bounds.js";
import { freshFolder } from "../../support/run/folders.js";
import { attempts, chance, SEED } from "../../support/run/trials.js";

const NOON = Date.parse("2026-11-22T12:00:00Z");
const DAY = 86_400_000;

let parent: string;
let folder: string;
let now: number;
let problems: string[];
let open: DayFiles[];

beforeEach(async () => {
  parent = freshFolder();
  folder = join(parent, "audit");
  [now, problems, open] = [NOON, [], []];
});
afterEach(() => Promise.all(open.map((files) => files.close())));

function files(days = 3): DayFiles {
  const made = new DayFiles({
    folder,
    kind: "audit",
    days,
    clock: () => now,
    lost: (lost) => lineOf({ event: "lost", lost }),
    report: (problem) => problems.push(problem),
  });
  open.push(made);
  return made;
}

const read = (name = "audit-2026-11-22.jsonl"): Promise<string> =>
  readFile(join(folder, name), "utf8");

describe("daily files", () => {
  it("have every line once and complete, from any number of processes", async () => {
    const [processes, count] = [attempts(3, 8), attempts(2000, 50_000)];
    const script = packagePath("test", "server", "audit", "writer.ts");
    await Promise.all(
      Array.from({ length: processes }, (_, i) =>
        promisify(execFile)(process.execPath, [
          "--import",
          "tsx",
          script,
          folder,
          `p${i}`,
          String(count),
        ]),
      ),
    );
    const [name] = await readdir(folder);
    const lines = (await read(name))
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(processes * count);
    for (let i = 0; i < processes; i += 1) {
      const own = lines.filter((line) => line.name === `p${i}`).map((line) => line.i);
      expect(own).toEqual(Array.from({ length: count }, (_, index) => index));
    }
  });

  it("have the lines of changes that end after they were closed", async () => {
    const one = files();
    one.write("a");
    await one.close();
    for (const line of ["b", "c"]) one.write(line);
    expect(await read()).toBe("a\nb\nc\n");
  });

  it("begin at midnight, and again if the clock goes back", async () => {
    const one = files();
    for (const [time, text] of [
      [0, "a"],
      [DAY, "b"],
      [DAY / 2, "c"],
      [DAY - 1, "d"],
    ] as const) {
      now = NOON - DAY / 2 + time;
      one.write(text);
      await one.flush();
    }
    expect(await read()).toBe("a\nc\nd\n");
    expect(await read("audit-2026-11-23.jsonl")).toBe("b\n");
  });

  it("are removed when they are too old, and nothing else is", async () => {
    await mkdir(folder);
    const kept = [
      "audit-2026-11-21.jsonl",
      "audit-2026-11-20.jsonl",
      "statistics-2026-11-20.jsonl",
      "audit-2026-11-01.jsonl.gz",
      "notes",
      "audit-2026-1-1.jsonl",
    ];
    const old = ["audit-2026-11-19.jsonl", "statistics-2026-11-19.jsonl", "audit-0001-01-01.jsonl"];
    for (const name of [...kept, ...old]) await writeFile(join(folder, name), "x");
    await mkdir(join(folder, "audit-2026-01-01.jsonl"));
    await files().tidy();
    expect((await readdir(folder)).sort()).toEqual([...kept, "audit-2026-01-01.jsonl"].sort());
  });

  it("stay if the clock jumps ahead for less than a day, and go after a long stop", async () => {
    await mkdir(folder);
    const names = ["audit-2026-11-20.jsonl", "audit-2026-11-21.jsonl", "audit-2026-11-22.jsonl"];
    for (const name of names) await writeFile(join(folder, name), "");
    const one = files();
    const later = NOON + 365 * DAY;
    for (now of [NOON, later, later + DAY - 1, NOON]) {
      one.write("a");
      await one.flush();
      await one.tidy();
    }
    expect(await readdir(folder)).toEqual(expect.arrayContaining(names));
    const next = files();
    for (now of [later, later + DAY, later + 2 * DAY]) {
      expect(await readdir(folder)).toEqual(expect.arrayContaining(names));
      await next.tidy();
    }
    expect((await readdir(folder)).sort()).toEqual([
      "audit-2027-11-22.jsonl",
      "audit-2027-11-23.jsonl",
    ]);
  });

  it("are started again if they were moved or deleted", async () => {
    const one = files();
    const path = join(folder, "audit-2026-11-22.jsonl");
    for (const [text, act] of [
      ["a", () => rename(path, `${path}.1`)],
      ["b", () => rm(path)],
      ["c", () => rm(folder, { recursive: true })],
      ["d", async () => {}],
    ] as const) {
      one.write(text);
      await one.flush();
      expect(await read()).toBe(`${text}\n`);
      await act();
    }
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect(problems).toEqual([]);
  });

  it("are not written through a link, into a pipe, or into a folder that has become a link", async () => {
    const elsewhere = join(parent, "elsewhere");
    await mkdir(elsewhere);
    await mkdir(folder);
    const path = join(folder, "audit-2026-11-22.jsonl");
    const one = files();
    one.write("a");
    await symlink(join(elsewhere, "target"), path);
    await one.flush();
    await rm(path);
    expect(spawnSync("mkfifo", [path]).status).toBe(0);
    await one.flush();
    await rm(path);
    await rm(folder, { recursive: true });
    await symlink(elsewhere, folder);
    await one.flush();
    expect(await readdir(elsewhere)).toEqual([]);
    expect(one.failures).toBe(3);
    // Said once a minute.
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/ELOOP/);
    await rm(folder);
    await one.flush();
    expect(await read()).toBe("a\n");
  });

  it("wait in bounded memory if nothing can be written, and report the number of lost lines", async () => {
    await mkdir(folder);
    const path = join(folder, "audit-2026-11-22.jsonl");
    await mkdir(path);
    const one = files();
    const line = "x".repeat(1000);
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < 100_000; i += 1) one.write(line);
    expectBelow(process.memoryUsage().heapUsed - before, 32 * 1024 * 1024);
    await one.flush();
    await rm(path, { recursive: true });
    await one.flush();
    one.write("after");
    await one.flush();
    const lines = (await read()).trimEnd().split("\n");
    const kept = lines.filter((text) => text === line).length;
    expect(one.lost).toBe(100_000 - kept);
    expect(kept).toBeGreaterThan(4000);
    expect(lines.slice(kept)).toEqual([`{"event":"lost","lost":${one.lost}}`, "after"]);
  });

  const canMount = spawnSync("unshare", ["--mount", "true"]).status === 0;
  it.skipIf(!canMount)("have every line complete once a full disk has space again", async () => {
    await mkdir(folder);
    const script = packagePath("test", "server", "audit", "writer.ts");
    const copy = join(parent, "copy");
    // All but a few pages are taken.
    const { stdout, stderr, status } = spawnSync(
      "unshare",
      [
        "--mount",
        "sh",
        "-ec",
        `mount -t tmpfs -o size=1m tmpfs ${folder}; head -c 1000000 /dev/zero > ${folder}/room
        "$0" --import tsx ${script} ${folder} full 1000; cp ${folder}/audit-* ${copy}`,
        process.execPath,
      ],
      { encoding: "utf8", cwd: packagePath() },
    );
    expect(`${status} ${stderr}`).toBe("0 ");
    const told = JSON.parse(stdout);
    expect(told.failures).toBeGreaterThan(0);
    expect(told.problems.join()).toMatch(/ENOSPC/);
    const whole = (await readFile(copy, "utf8")).split("\n").flatMap((line) => {
      try {
        return [JSON.parse(line) as { i: number }];
      } catch {
        return [];
      }
    });
    expect(whole.map(({ i }) => i)).toEqual(Array.from({ length: 1000 }, (_, i) => i));
  });

  it.skipIf(process.getuid?.() !== 0)(
    "belong to the folder's owner when a command of root's makes them",
    async () => {
      await mkdir(folder);
      spawnSync("chown", ["61234:61234", folder]);
      await chmod(folder, 0o700);
      const one = files();
      one.write("a");
      await one.flush();
      expect((await stat(join(folder, "audit-2026-11-22.jsonl"))).uid).toBe(61_234);
    },
  );
});

describe("a line", () => {
  it("is one line of JSON with the same texts, whatever they contain", () => {
    const random = chance(SEED);
    const odd = [
      "\n",
      "\r",
      "\u2028",
      "\u2029",
      "\u0085",
      "\u0000",
      "\u001b[2J",
      "\u202e",
      "\ud800",
      '"',
      "\\",
      "é",
      "{}",
    ];
    for (let i = 0; i < attempts(2000, 100_000); i += 1) {
      const name = Array.from({ length: 8 }, () => odd[Math.floor(random() * odd.length)]).join("");
      const line = lineOf({ event: "sign-in", name });
      expect(line).not.toMatch(/[\p{Cc}\u2028\u2029\u202e]/u);
      expect(JSON.parse(line), `SEED=${SEED}`).toEqual({ event: "sign-in", name });
    }
    expect(lineOf({ name: "x".repeat(100_000) }).length).toBeLessThan(400);
  });
});

describe("counts", () => {
  it("are bounded in number, whatever is searched", () => {
    const lines: string[] = [];
    const statistics = new Statistics(
      (line) => lines.push(line),
      () => now,
    );
    const total = 30_000;
    for (let i = 0; i < total; i += 1) {
      const context = new RequestContext("id", undefined, "GET", "/");
      const values = [{ key: "model", value: `m${i}`, isExcluded: false }];
      context.searched = { flavour: "cmip6", values, isFound: false };
      statistics.ended(context);
    }
    statistics.flush();
    expect(lines.length).toBeLessThan(10_010);
    const sum = (kind: string) =>
      lines
        .map((line) => JSON.parse(line))
        .filter((line) => line.kind === kind)
        .reduce((all, { count }) => all + count, 0);
    expect([sum("search"), sum("value"), sum("nothing")]).toEqual([total, total, total]);
    statistics.flush();
    expect(lines.length).toBeLessThan(10_010);
  });
});
