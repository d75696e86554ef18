/** `serve --workers`: several processes behind one port, from the start to a kill of each of them. */
import { existsSync, readFileSync } from "node:fs";
import { readdir, readlink, writeFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { CONNECTION_LIMITS } from "../../../src/server/http/connections.js";
import { readConfig } from "../../../src/server/settings/config.js";
import { shareOf } from "../../../src/server/workers/share.js";
import { freshFolder } from "../../support/run/folders.js";
import { addUser, bearer, signIn } from "../../support/service/sign-in.js";
import { javaOf, oneLine, processesWith, run, Serving } from "../command.js";

/** The longest that a start may take on a busy machine. */
const PATIENCE = { timeout: 240_000 };
const PREFIX = "/api/climate-nextgen";
/** So many bytes that no buffers between service and client hold a whole list. */
const ENTRIES = 6000;
const NAME = "a-long-name-".repeat(250);

let dataDir: string;
let running: Serving | undefined;

beforeAll(async () => {
  dataDir = join(freshFolder(), "var");
});
afterAll(async () => {
  await running?.end("SIGKILL");
  await vi.waitFor(() => expect(processesWith(dataDir)).toEqual([]), { timeout: 30_000 });
});

const settings = () => ({
  DATA_DIR: dataDir,
  WORKERS: "2",
  SOLR_HEAP: "512m",
});

function service(): Serving {
  if (running === undefined) throw new Error("no service runs");
  return running;
}

interface Line {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly pid: number;
  readonly worker?: number;
  readonly path?: string;
  readonly msg: string;
}

/** The lines of the log since a moment. */
const lines = (since = 0): Line[] =>
  service()
    .output.split("\n")
    .filter((line) => /^\{.*\}$/.test(line))
    .map((line) => JSON.parse(line) as Line)
    .filter(({ time }) => time >= since);

/** Which workers have answered requests. */
const workersOf = (all: readonly Line[]) => [
  ...new Set(all.flatMap(({ worker, msg }) => (msg === "request" && worker) || [])),
];

/** The process of each worker, by its last line. */
async function pids(): Promise<ReadonlyMap<number, number>> {
  const since = Date.now();
  for (const end = Date.now() + 20_000; ; ) {
    await request("/ping");
    const found = new Map(
      lines(since).flatMap(({ worker, pid }) => (worker ? [[worker, pid]] : [])),
    );
    if (found.size === 2) return found;
    if (Date.now() > end) throw new Error(`one worker answers:\n${service().output}`);
  }
}

/** A request on a connection of its own. */
const request = (path: string, init: { headers?: Record<string, string> } = {}) =>
  service().get(path, { ...init, headers: { ...init.headers, connection: "close" } });

/** Sends a text on a connection of its own. */
function send(text: string): Socket {
  const { hostname, port } = new URL(service().address);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.on("error", () => {});
  socket.write(text);
  return socket;
}

/** All that comes until the connection ends. */
async function whole(socket: Socket): Promise<string> {
  let text = "";
  socket.setEncoding("utf8").on("data", (piece) => {
    text += piece;
  });
  await new Promise((resolve) => socket.once("close", resolve).once("end", resolve));
  socket.destroy();
  return text;
}

/** A list of which nothing is read yet but that it has begun. */
async function beginList(files = "/many/*"): Promise<Socket> {
  const path = `${PREFIX}/databrowser/data-search/native/file?file=${files}`;
  const socket = send(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  await new Promise((resolve) => socket.once("readable", resolve));
  return socket;
}

/** Whether a process has the other end of a connection (proc(5): the inodes of /proc/net/tcp and of open files). */
async function holds(pid: number, { localPort = 0 }: Socket): Promise<boolean> {
  const port = localPort.toString(16).toUpperCase().padStart(4, "0");
  const inodes = readFileSync(`/proc/${pid}/net/tcp`, "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , remote]) => remote?.endsWith(`:${port}`))
    .map((columns) => `socket:[${columns[9]}]`);
  const open = (await readdir(`/proc/${pid}/fd`)).map((fd) =>
    readlink(`/proc/${pid}/fd/${fd}`).catch(() => ""),
  );
  return (await Promise.all(open)).some((target) => inodes.includes(target));
}

/** Whether a list came to its end; one that did is complete. */
async function isWholeList(socket: Socket, entries = ENTRIES): Promise<boolean> {
  const text = await whole(socket);
  if (!text.endsWith("\r\n0\r\n\r\n")) return false;
  expect(text.match(/\/many\//g)).toHaveLength(entries);
  return true;
}

describe("the bounds of workers", () => {
  it("add up to the settings", () => {
    const config = readConfig({ WORKERS: "3", SOLR_SEARCHES: "16" });
    const shares = [1, 2, 3].map((index) => shareOf(config, index).config);
    const sum = (of: (share: typeof config) => number) =>
      shares.reduce((all, share) => all + of(share), 0);
    expect(shares.map(({ solr }) => solr.load.searches)).toEqual([6, 5, 5]);
    for (const of of [
      ({ solr }: typeof config) => solr.load.searches,
      ({ solr }: typeof config) => solr.load.exports,
      ({ solr }: typeof config) => solr.load.waiting,
      ({ readingMemory }: typeof config) => readingMemory,
    ]) {
      expect(sum(of)).toBe(of(config));
    }
    const connections = [1, 2, 3].map((index) => shareOf(config, index).maxConnections);
    expect(connections.reduce((all, share) => all + share, 0)).toBe(CONNECTION_LIMITS.max);
    expect(shareOf({ ...config, workers: 1 }, 1).config).toEqual({ ...config, workers: 1 });
  });

  it("are refused in one sentence, at once, if they cannot be shared by that many", async () => {
    const refused = await run(["serve", "--workers", "5"], { settings: { DATA_DIR: dataDir } });
    expect(refused.status).toBe(1);
    expect(oneLine(refused.stderr)).toBe(
      "READING_MEMORY must be at least 640m for 5 workers, but is 512m.",
    );
    expect(existsSync(dataDir)).toBe(false);
    const none = await run(["serve", "--workers", "0"], { settings: { DATA_DIR: dataDir } });
    expect(oneLine(none.stderr)).toMatch(/^WORKERS must be a whole number/);
  });
});

describe("two workers", () => {
  it("start behind one port, and both answer", PATIENCE, async () => {
    running = await Serving.start(settings());
    expect(running.output.match(/^Listening on/gm)).toHaveLength(1);
    expect(running.output.match(/^ +username demo/gm)).toHaveLength(1);
    const pings = () => Promise.all(Array.from({ length: 20 }, () => request("/ping")));
    const begin = Date.now();
    const answers = await pings();
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    await expect.poll(() => lines(begin).length).toBe(20);
    expect(workersOf(lines(begin)).sort()).toEqual([1, 2]);
  });

  it("keep Solr's password out of arguments and environment", async () => {
    const secret = readFileSync(join(dataDir, "solr", "password"), "utf8").trim();
    const workers = processesWith("worker-process.js").filter(({ environment }) =>
      environment.includes(dataDir),
    );
    expect(workers.length).toBeGreaterThanOrEqual(2);
    for (const { args, environment } of workers) {
      expect(args + environment).not.toContain(secret);
    }
  });

  it("end slow requests, and answer clients that have finished sending", async () => {
    const slow = whole(send("GET / HTTP/1.1\r\nHost:"));
    const half = send(`GET ${PREFIX}/ping HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    half.end();
    expect(await whole(half)).toMatch(/^HTTP\/1.1 200 /);
    expect(await slow).toMatch(/^HTTP\/1.1 408 /);
  });

  it("accept each other's tokens, and see at once what the other wrote", async () => {
    const { name } = await addUser(dataDir);
    const { access_token: token } = await signIn(service(), name);
    const begin = Date.now();
    const all = await Promise.all(
      Array.from({ length: 10 }, () => request("/auth/v2/status", bearer(token))),
    );
    expect(all.map(({ status }) => status)).toEqual(Array(10).fill(200));
    for (let round = 0; round < 4; round += 1) {
      const body = JSON.stringify({
        user_metadata: [
          { file: `/elsewhere/${round}.nc`, variable: "tas", time: "fx", time_frequency: "fx" },
        ],
        facets: { project: "workers", model: "m", experiment: "e" },
      });
      const headers = { ...bearer(token).headers, "content-type": "application/json" };
      const path = "/databrowser/userdata";
      const added = await service().get(path, { method: "POST", headers, body });
      expect(added.status, await added.text()).toBe(202);
      const found = await Promise.all(
        Array.from({ length: 6 }, async () => {
          const answer = await request("/databrowser/metadata-search/user/file?project=workers");
          return ((await answer.json()) as { total_count: number }).total_count;
        }),
      );
      expect(found).toEqual(Array(6).fill(round + 1));
    }
    expect(workersOf(lines(begin)).sort()).toEqual([1, 2]);
  });
});

describe("a killed worker", () => {
  it("breaks its own lists visibly and no others, and is restarted", PATIENCE, async () => {
    const path = join(dataDir, "many.jsonl");
    const entries = Array.from({ length: ENTRIES }, (_, index) => ({
      file: `/many/${index % 2}/${index}-${NAME}.nc`,
    }));
    await writeFile(path, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
    const loaded = await run(["index", path], { settings: { DATA_DIR: dataDir } });
    expect(loaded.status, loaded.stderr).toBe(0);

    const before = await pids();
    const killed = before.get(1) ?? 0;
    const lists: { readonly socket: Socket; readonly isOfKilled: boolean }[] = [];
    // Who takes a connection is chance, and on a busy machine it may be the same one several times.
    while (new Set(lists.map(({ isOfKilled }) => isOfKilled)).size < 2) {
      expect(lists.length).toBeLessThan(20);
      const socket = await beginList();
      lists.push({ socket, isOfKilled: await holds(killed, socket) });
    }
    process.kill(killed, "SIGKILL");
    let unanswered = 0;
    for (let count = 0; count < 10; count += 1) {
      const status = request("/ping").then((answer) => answer.status);
      const isLate = sleep(10_000).then(() => undefined);
      if ((await Promise.race([status.catch(() => undefined), isLate])) !== 200) unanswered += 1;
    }
    // One may have been given to the killed worker before its end was noticed.
    expect(unanswered).toBeLessThanOrEqual(1);
    const outcomes = await Promise.all(lists.map(({ socket }) => isWholeList(socket)));
    expect(outcomes).toEqual(lists.map(({ isOfKilled }) => !isOfKilled));
    await expect.poll(() => service().output).toMatch(/"a worker ended; starting it again"/);
    const after = await pids();
    expect(after.get(2)).toBe(before.get(2));
    expect(after.get(1)).not.toBe(before.get(1));
  });

  it(
    "holds up one connection while it hangs; the other worker answers the others",
    PATIENCE,
    async () => {
      const pid = (await pids()).get(2) ?? 0;
      process.kill(pid, "SIGSTOP");
      let answered = 0;
      for (let sent = 0; sent < 20; sent += 1) {
        const count = ({ status }: Response): void => {
          answered += Number(status === 200);
        };
        // The connection that the worker holds up ends with the service at the latest.
        request("/ping").then(count, () => {});
      }
      await expect.poll(() => answered).toBeGreaterThanOrEqual(19);
      await expect
        .poll(() => service().output, { timeout: 30_000 })
        .toMatch(/"seconds":3,"msg":"a worker does not answer"/);
      process.kill(pid, "SIGKILL");
      const after = await pids();
      expect(after.get(2)).not.toBe(pid);
    },
  );
});

describe("a killed Solr", () => {
  it("is away and back for all workers", PATIENCE, async () => {
    await pids();
    const [java = 0] = javaOf(dataDir);
    process.kill(java, "SIGKILL");
    const search = "/databrowser/metadata-search/native/file";
    await expect.poll(async () => (await request(search)).status).toBe(503);
    await expect.poll(async () => (await request("/ready")).status, { timeout: 60_000 }).toBe(200);
    const begin = Date.now();
    await expect
      .poll(async () => {
        expect((await request(search)).status).toBe(200);
        return workersOf(lines(begin)).length;
      })
      .toBe(2);
  });
});

/** What must be gone when no service runs on the data folder. */
async function expectNothingLeft(address: string): Promise<void> {
  const left = () =>
    processesWith("").filter(
      ({ args, environment }) => args.includes(dataDir) || environment.includes(dataDir),
    );
  await expect.poll(left, { timeout: 30_000 }).toEqual([]);
  await expect(fetch(address)).rejects.toThrow();
}

describe("SIGTERM", () => {
  it("lets lists of all workers complete, and leaves nothing behind", PATIENCE, async () => {
    await pids();
    const { address } = service();
    const lists = await Promise.all(["/many/0/*", "/many/1/*"].map((one) => beginList(one)));
    const ended = service().end("SIGTERM");
    running = undefined;
    const outcomes = await Promise.all(lists.map((list) => isWholeList(list, ENTRIES / 2)));
    expect(outcomes).toEqual([true, true]);
    const { status, signal, milliseconds } = await ended;
    expect({ status, signal }).toEqual({ status: 0, signal: null });
    expect(milliseconds).toBeLessThan(25_000);
    await expectNothingLeft(address);
    expect(await readdir(join(dataDir, "service.lock"))).toEqual([]);
  });
});

describe("SIGKILL of the first process", () => {
  it("leaves no worker, no Solr and no port, also when a worker hangs", PATIENCE, async () => {
    running = await Serving.start(settings());
    const { address } = running;
    process.kill((await pids()).get(1) ?? 0, "SIGSTOP");
    await service().end("SIGKILL");
    running = undefined;
    await expectNothingLeft(address);
  });
});

describe("workers that cannot start", () => {
  it("end the service, which reports it, and its Solr", PATIENCE, async () => {
    const broken = freshFolder();
    const script = join(broken, "ends.cjs");
    const ends = 'if (/worker-process/.test(process.argv[1] ?? "")) process.exit(3);';
    await writeFile(script, ends);
    const outcome = await run(["serve"], {
      settings: {
        ...settings(),
        DATA_DIR: join(broken, "var"),
        NODE_OPTIONS: `--require ${script}`,
      },
    });
    expect(outcome.status).toBe(1);
    expect(outcome.stderr).toMatch(/^Worker 1 ended before it could answer \(status 3\)\.$/m);
    expect(outcome.stdout).not.toMatch(/^Listening/m);
    await expect.poll(() => processesWith(broken), { timeout: 30_000 }).toEqual([]);
  });
});
