/** The download script at its worst: killed anywhere, in every shell; and files that change while they are sent. */
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, readFile, rename, rm, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { PREFIX } from "../../../generated/prefix.js";
import { datasetId } from "../../../src/files/zarr/address.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { MAIN } from "../../cli/command.js";
import { ARIA2, findProgram } from "../../support/programs/debian.js";
import { shellcheck } from "../../support/programs/python.js";
import { freshFolder } from "../../support/run/folders.js";
import { attempts, chance, SEED } from "../../support/run/trials.js";
import { fillIndex } from "../../support/service/service.js";
import { addUser, bearer, signIn } from "../../support/service/sign-in.js";
import { useService } from "../../support/service/use-service.js";
import { listening } from "../../support/solr/wire.js";
import {
  execute,
  listedName,
  ODD_NAMES,
  put,
  runScript,
  type Shell,
  type StoredFile,
  saved,
  sha256,
  shells,
  start,
  startGroup,
  storeFiles,
  tokenIn,
} from "./scene.js";
import { readSlowly } from "./slow-client.js";

const random = chance(SEED);
const between = (from: number, to: number): number => Math.floor(from + random() * (to - from));
const KILLS = attempts(10, 50);
const CHANGES = 20;
/** Files that are fetched at once. */
const AT_ONCE = 3;
/** Bytes of a large file. */
const LARGE = 12_000_000;
const tops = freshFolder();
const found = await shells(tops);
const data = join(tops, "data");

let user: string;
let token: string;
/** A token lives for ten minutes. */
async function renewToken(): Promise<void> {
  token = (await signIn(service, user)).access_token;
}
let stored: StoredFile[];
let script: string;

const service = useService({ dataRoots: [data] });
beforeAll(async () => {
  ({ name: user } = await addUser(service.dataDir));
  await renewToken();
  const large = ["large 1.nc", "large 2.nc", "large 3.nc"];
  const all = await storeFiles(data, [
    ...ODD_NAMES.map((name, at) => ({
      name,
      content: randomBytes(20_000 + at),
      bare: at % 4 === 0,
    })),
    ...large.map((name, at) => ({ name, content: randomBytes(LARGE), bare: at === 0 })),
  ]);
  stored = all.stored;
  await fillIndex(service.solr, [...all.documents, { file: join(data, "changing.nc") }]);
  const query = "layout=flat&file_not_=*changing.nc";
  const response = await service.get(`/databrowser/download/native/file?${query}`, bearer(token));
  script = join(tops, "download.sh");
  await writeFile(script, await response.text());
});

/** The checksum of each file: comparing millions of bytes one by one would take minutes. */
const sums = (files: Iterable<readonly [string, Buffer]>): Map<string, string> =>
  new Map([...files].map(([name, content]) => [name, sha256(content)]));

const expected = (nameOf = (name: string): string => name): Map<string, string> =>
  sums(stored.map(({ file, content }) => [nameOf(file.slice(data.length + 1)), content]));

/** Bytes of all files that were sent, by the log. */
const sentBytes = (): number =>
  service.log
    .filter((line) => line.includes('"operation":"readFile"'))
    .reduce((sum, line) => sum + Number(JSON.parse(line).bytes ?? 0), 0);

interface Program {
  readonly name: string;
  start(to: string): ReturnType<typeof start>;
  /** Milliseconds after which it is killed. */
  readonly soon: readonly [from: number, to: number];
  readonly nameOf: (name: string) => string;
}

const programs: readonly Program[] = [
  ...found
    .filter(({ name }) => !name.includes("its wget"))
    .map(
      (shell): Program => ({
        name: `the script in ${shell.name}`,
        start: (to) => start({ shell, script, to, token, options: ["-j", `${AT_ONCE}`] }),
        soon: [20, 900],
        nameOf: (name) => name,
      }),
    ),
  {
    name: "the command",
    start: (to) => {
      const where = [
        "--host",
        service.address,
        "--to",
        to,
        "--layout",
        "flat",
        "--at-once",
        `${AT_ONCE}`,
      ];
      const command = [process.execPath, MAIN, "download", ...where, "native"];
      return startGroup([...command, "file!=*changing.nc"], { ...process.env, ...tokenIn(token) });
    },
    soon: [300, 2500],
    nameOf: listedName,
  },
];

describe("a download", () => {
  it.each(programs.map((one) => [one.name, one] as const))(
    "has all files after kills at random moments, and fetches little twice: %s",
    async (name, program) => {
      const most = program === programs[0] || name === "the command" ? KILLS : KILLS / 10;
      await renewToken();
      const whole = stored.reduce((sum, { content }) => sum + content.length, 0);
      const before = sentBytes();
      let [kills, downloads] = [0, 0];
      while (kills < most) {
        const to = await mkdtemp(join(tops, "to-"));
        for (; kills < most; kills += 1) {
          const { child, ended } = program.start(to);
          const soon = sleep(between(...program.soon)).then(() => false);
          if (await Promise.race([ended.then(() => true), soon])) break;
          // Sometimes the shell alone is killed, and its jobs find out.
          const isAlone = random() < 0.3;
          process.kill((isAlone ? 1 : -1) * (child.pid ?? 0), "SIGKILL");
          await ended;
          // The next start would wait for seconds for a beat of the lock's holder, and be killed while it does.
          await rm(join(to, ".climate-nextgen-download", "beat"), { force: true });
        }
        const ran = await program.start(to).ended;
        expect(ran.status, ran.output).toBe(0);
        expect(sums(await saved(to))).toEqual(expected(program.nameOf));
        expect(existsSync(join(to, ".climate-nextgen-download", "lock"))).toBe(false);
        downloads += 1;
      }
      // A killed program loses the bytes that were on their way: at most one file for each connection.
      const twice = sentBytes() - before - whole * downloads;
      console.log(`${name}: ${kills} kills, ${twice} bytes of ${whole} were sent twice`);
      expect(twice).toBeLessThanOrEqual(kills * AT_ONCE * LARGE);
    },
    600_000,
  );
});

describe("the command", () => {
  it("uses the folder of another machine whose process has ended", async () => {
    const to = await mkdtemp(join(tops, "to-"));
    await put(join(to, ".climate-nextgen-download", "lock", "pid"), "1 elsewhere\n");
    const ran = await programs.at(-1)?.start(to).ended;
    expect(ran?.status, ran?.output).toBe(0);
    expect(ran?.output).toContain("Another machine has downloaded into this folder");
  });
});

describe("the script", () => {
  it("passes shellcheck", async () => {
    const { stdout } = await execute(shellcheck(), ["-s", "sh", script]).catch((error) => error);
    expect(stdout).toBe("");
    await execute(shellcheck(), ["-s", "sh", packagePath("web", "download", "download.sh")]);
  });

  it("stops at once on a signal, cleans up, and goes on", async () => {
    const { begun, close } = await silence();
    for (const shell of found.filter(({ name }) => name.includes("with curl"))) {
      const { pid, to, ended } = await begun(shell, 3);
      process.kill(pid, "SIGTERM");
      const { status, output } = await ended;
      expect(status, output).toBe(143);
      expect(output).toContain("Run the script again to go on");
      expect(existsSync(join(to, ".climate-nextgen-download", "lock")), shell.name).toBe(false);
      expect((await runScript({ shell, script, to, token })).status, shell.name).toBe(0);
      expect(sums(await saved(to))).toEqual(expected());
    }
    close();
  }, 300_000);

  /** A service that takes requests and is silent, and a script that sends them to it. */
  async function silence() {
    let requests = 0;
    const server = createServer(() => {
      requests += 1;
    });
    const { origin } = await listening(server);
    const there = await readFile(script, "utf8");
    const path = join(tops, "silent.sh");
    await writeFile(path, there.replace(/^SERVICE=.*$/m, `SERVICE='${origin}'`));
    /** Starts the script, and waits until each file at once has a transfer. */
    const begun = async (shell: Shell, atOnce: number) => {
      requests = 0;
      const to = await mkdtemp(join(tops, "to-"));
      const options = ["-j", `${atOnce}`];
      const { child, ended } = start({ shell, script: path, to, token, options });
      const pid = child.pid ?? 0;
      const run = join(to, ".climate-nextgen-download", "run", `${pid}`);
      const jobs = (): string[] => (existsSync(run) ? readdirSync(run) : []);
      const children = () => jobs().filter((name) => name.endsWith(".child")).length;
      const transfers = Math.min(atOnce, stored.length);
      await expect.poll(children, { timeout: 60_000 }).toBe(transfers);
      await expect.poll(() => requests, { timeout: 60_000 }).toBe(transfers);
      return { pid, to, ended, run, jobs };
    };
    const close = () => {
      server.closeAllConnections();
      server.close();
    };
    return { server, begun, close };
  }

  it("reports a file whose transfer another program ends", async () => {
    const { begun, close } = await silence();
    for (const shell of found.filter(({ name }) => name.includes("with curl"))) {
      const { ended, run, jobs } = await begun(shell, 64);
      for (const name of jobs().filter((job) => !job.includes("."))) {
        process.kill(Number(await readFile(join(run, name), "utf8")));
      }
      const { status, output } = await ended;
      expect(status, shell.name).toBe(1);
      expect(output).toContain(`0 of ${stored.length} files are there`);
      expect(output.match(/ was ended by a signal$/gm)).toHaveLength(20);
    }
    close();
  });

  it("ends if its notes of processes cannot be written", async () => {
    const { server, begun, close } = await silence();
    for (const shell of found.filter(({ name }) => name.includes("with curl"))) {
      const lost = await begun(shell, 2);
      await rm(lost.run, { recursive: true });
      server.closeAllConnections();
      const { status, output } = await lost.ended;
      expect(status, output).toBe(1);
      expect(output, shell.name).toContain("Run the script again to go on");

      const stopped = await begun(shell, 2);
      await rm(stopped.run, { recursive: true });
      process.kill(stopped.pid, "SIGTERM");
      // Once the script has the signal, it ignores further ones: bit 14 of the mask.
      const ignored = async () =>
        /^SigIgn:\s*([\da-f]+)/m.exec(await readFile(`/proc/${stopped.pid}/status`, "utf8"))?.[1];
      await expect
        .poll(async () => Number.parseInt(`${await ignored()}`.slice(-4), 16) & 0x4000)
        .toBe(0x4000);
      server.closeAllConnections();
      expect((await stopped.ended).status, shell.name).toBe(143);
    }
    close();
  });

  it("is not run twice in one folder at the same time", async () => {
    const [shell] = found;
    if (shell === undefined) throw new Error("there is no shell");
    const to = await mkdtemp(join(tops, "to-"));
    const first = start({ shell, script, to, token });
    const lock = join(to, ".climate-nextgen-download", "lock");
    await expect.poll(() => existsSync(lock), { interval: 5 }).toBe(true);
    const second = await runScript({ shell, script, to, token });
    const { status } = await first.ended;
    expect([status, second.status].sort()).toEqual([0, 2]);
    expect(second.output).toContain("downloads into this folder");
  });
});

describe("other programs", () => {
  const aria2 = findProgram(ARIA2);
  it.skipIf(aria2 === undefined)(
    "get the same bytes: aria2c with 8 connections a file",
    async () => {
      const to = await mkdtemp(join(tops, "aria2-"));
      const address = "/databrowser/download/native/file?layout=flat&as=aria2&file=*large*";
      const list = join(tops, "list");
      await writeFile(list, await (await service.get(address)).text());
      const header = `--header=Authorization: Bearer ${token}`;
      const options = ["--no-conf", "-q", "-x8", "-s8", "-k1M", header, "-d", to, `-i${list}`];
      await execute(aria2?.path ?? "", options, { env: aria2?.env });
      const sums = [...(await saved(to)).values()].map(sha256).sort();
      const large = stored.filter(({ file }) => file.includes("large"));
      expect(sums).toEqual(large.map(({ content }) => sha256(content)).sort());
    },
  );
});

describe("a file that changes while it is sent", () => {
  const path = join(data, "changing.nc");
  const size = 24 << 20;
  const happenings: Readonly<Record<string, () => Promise<void>>> = {
    truncated: () => truncate(path, between(0, size)),
    replaced: async () => {
      await writeFile(`${path}.new`, Buffer.alloc(size, 2));
      await rename(`${path}.new`, path);
    },
    removed: () => rm(path),
    "written in place": () => writeFile(path, Buffer.alloc(size, 3)),
  };
  it.each(Object.entries(happenings))(
    "breaks the transfer 20 times of 20: %s",
    async (_, happens) => {
      const address = `${service.address}${PREFIX}/data-portal/files/${datasetId(path)}/changing.nc`;
      for (let at = 0; at < CHANGES; at += 1) {
        await writeFile(path, Buffer.alloc(size, 1));
        const request = { address, headers: bearer(token).headers, size };
        expect(await readSlowly(request, happens)).toBe("broken");
      }
    },
  );
});
