/** User data while Solr fails: 500 where it refuses, 503 where it is away, and the same request afterwards. */
import { once } from "node:events";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Problem } from "../../../generated/schemas.js";
import { inspectCollections } from "../../../src/index/collections/collections.js";
import { lockDataDir } from "../../../src/index/collections/data-dir-lock.js";
import { archiveOptions } from "../../../src/index/embedded/class-archive.js";
import { type EmbeddedSolr, startEmbeddedSolr } from "../../../src/index/embedded/embedded.js";
import { packagePath } from "../../../src/platform/package-root.js";
import {
  endsWithin,
  identify,
  signalProcess,
} from "../../../src/platform/processes/process-identity.js";
import type { Lock } from "../../../src/platform/processes/process-lock.js";
import { expectBelow } from "../../support/run/bounds.js";
import { freshFolder } from "../../support/run/folders.js";
import { attempts, SEED } from "../../support/run/trials.js";
import { emptyIndex, startService, type TestService } from "../../support/service/service.js";
import {
  add,
  added,
  deleted,
  type Entry,
  entry,
  message,
  type Person,
  person,
  remove,
  stored,
} from "../../support/service/user-data.js";
import { between } from "../../support/solr/wire.js";

const CONF = packagePath("solr", "configset", "conf");

const dataDir = freshFolder();
let lock: Lock;
let solr: EmbeddedSolr;
let service: TestService;
let ada: Person;

const start = async (port = 0) =>
  startEmbeddedSolr({
    dataDir,
    heap: "512m",
    port,
    lock,
    report: () => {},
    javaOptions: await archiveOptions(),
  });
const confOf = (): string => join(dataDir, "solr", "home", "files", "conf");

/** A Solr whose index has a configuration of its own, as an outside one has. */
beforeAll(async () => {
  await mkdir(confOf(), { recursive: true });
  await cp(CONF, confOf(), { recursive: true });
  await writeFile(join(confOf(), "..", "core.properties"), "name=files\n");
  lock = await lockDataDir(dataDir);
  solr = await start();
  service = await startService({ endpoint: solr.endpoint });
  ada = await person(service);
});
afterAll(async () => {
  await service.close();
  await solr.stop();
  await lock.release();
});
beforeEach(() => emptyIndex(service.solr));

const many = (count: number, folder = "/u"): Entry[] =>
  Array.from({ length: count }, (_, i) => entry(`${folder}/${1000 + i}.nc`, { note: `n${i}` }));

/** What a request that failed has left counts as well. */
async function all(): Promise<string[]> {
  await service.solr.http.send({ path: "files/update?commit=true" });
  return (await stored(service)).map(({ file }) => file);
}
const filesOf = (entries: readonly Entry[]) => entries.map(({ file }) => file);

/** Changes one file of the index's configuration, and has Solr read it. */
async function configure(name: string, change: (text: string) => string) {
  await writeFile(join(confOf(), name), change(await readFile(join(CONF, name), "utf8")));
  await service.solr.http.send({ path: `admin/cores?action=RELOAD&core=files` });
}

const mend = (name: string) => configure(name, (text) => text);

/** Replaces in a configuration what an older one has otherwise, or not at all. */
const otherwise =
  (...parts: readonly (readonly [RegExp, string])[]) =>
  (text: string): string =>
    parts.reduce((rest, [part, other]) => {
      const changed = rest.replace(part, other);
      if (changed === rest) throw new Error(`nothing is ${part}`);
      return changed;
    }, text);

/** An error's body, which must not show the inside; the log does, but no password. */
async function problemOf(response: Response, status: number): Promise<Problem> {
  const text = await response.text();
  expect(response.status, text).toBe(status);
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  expect(text).not.toMatch(/127\.0\.0\.1|ECONN|tolerant|owner|extra|undefined|unknown|\/u\/|solr/i);
  const { password = "" } = solr.endpoint;
  const secrets = [password, Buffer.from(`${solr.endpoint.user}:${password}`).toString("base64")];
  for (const secret of [...secrets, ada.token]) {
    expect(service.log.some((line) => line.includes(secret))).toBe(false);
  }
  const problem = JSON.parse(text) as Problem;
  expect(problem.status).toBe(status);
  return problem;
}

const REFUSED = {
  type: "urn:climate-nextgen:problem:search-refused",
  title: "Internal error",
  status: 500,
  detail: "The search backend did not accept this request.",
};

describe("a Solr whose index is of an older version", () => {
  it.each(["owner", "latest", "_generation_"])(
    "is refused without %s, and the start reports it",
    async (field) => {
      const lacking = otherwise([new RegExp(`<field name="${field}"[^>]*>`), ""]);
      await configure("schema.xml", lacking);
      await expect(inspectCollections(solr.endpoint, ["files"])).rejects.toThrow(
        /^The collection files of .* `climate-nextgen solr upgrade`/,
      );
      await mend("schema.xml");
      expect(await inspectCollections(solr.endpoint, ["files"])).toMatchObject({
        cloud: false,
      });
    },
  );
});

describe("a Solr that refuses requests", () => {
  it.each([
    {
      fault: "an update chain that is missing",
      name: "solrconfig.xml",
      spoil: otherwise([/<updateRequestProcessorChain name="tolerant">[\s\S]*?Chain>/, ""]),
      logged: /unknown UpdateRequestProcessorChain/i,
    },
    {
      fault: "a field of another type",
      name: "schema.xml",
      spoil: otherwise([/<field name="extra"[^>]*>/, '<field name="extra" type="long"/>']),
      logged: /Error adding field/,
    },
  ])(
    "makes a POST 500, and the same POST completes it after a repair: $fault",
    async ({ name, spoil, logged }) => {
      const entries = many(2500);
      await configure(name, spoil);
      try {
        expect(await problemOf(await add(service, ada, entries), 500)).toEqual(REFUSED);
        expect(service.log.join("")).toMatch(logged);
        expect(await all()).toEqual([]);
      } finally {
        await mend(name);
      }
      expect(await message(await add(service, ada, entries))).toBe(added(2500));
      expect(await all()).toEqual(filesOf(entries));
    },
  );

  it("makes a DELETE 500 that removes nothing, and all after a repair: a missing field", async () => {
    const entries = many(20);
    await message(await add(service, ada, entries));
    await configure(
      "schema.xml",
      otherwise([/<field name="owner"[^>]*>/, ""], [/<dynamicField [^>]*>/, ""]),
    );
    try {
      expect(await problemOf(await remove(service, ada, {}), 500)).toEqual(REFUSED);
    } finally {
      await mend("schema.xml");
    }
    expect(await all()).toEqual(filesOf(entries));
    expect(await message(await remove(service, ada, {}))).toBe(deleted(20));
    expect(await all()).toEqual([]);
  });
});

/** The same service, with another way to Solr. */
const through = (url: URL, timeoutMs?: number) =>
  startService({
    endpoint: { ...solr.endpoint, urls: [url] },
    dataDir: service.dataDir,
    baseUrl: service.address,
    ...(timeoutMs !== undefined && { timeoutMs }),
  });

async function unavailable(response: Response): Promise<Problem> {
  expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  return problemOf(response, 503);
}

/** Every so many requests one is not answered; in a short run others each time. */
const STEP = attempts(3, 1);

describe("a Solr that is away", () => {
  it("makes POST and DELETE 503 with Retry-After", async () => {
    const dead = await through(new URL("http://127.0.0.1:9/solr"));
    for (const response of [await add(dead, ada, many(2)), await remove(dead, ada, {})]) {
      expect((await unavailable(response)).type).toMatch(/search-unavailable/);
    }
    await dead.close();
  });

  it("makes a request 503 with Retry-After by the deadline if it accepts and never answers", async () => {
    const silent = createServer(() => {}).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const url = new URL(`http://127.0.0.1:${(silent.address() as AddressInfo).port}/solr`);
    const waiting = await through(url, 300);
    for (const send of [() => add(waiting, ada, many(2)), () => remove(waiting, ada, {})]) {
      const begin = performance.now();
      expect((await unavailable(await send())).type).toMatch(/search-timeout/);
      // By its own deadline of 300 ms, that is, and not by the 30 s of others.
      expectBelow(performance.now() - begin, 10_000);
    }
    await waiting.close();
    silent.close();
  });

  it.each(["POST", "DELETE"])(
    "makes a %s 503 if it stops after any number of answers, and the same request completes it",
    async (method) => {
      const entries = many(2100);
      let left = 0;
      const proxy = await between(async function* (body) {
        left -= 1;
        if (left < 0) await new Promise(() => {});
        yield* body;
      }, solr.endpoint);
      const stalling = await through(proxy.url, 600);
      const send = (to: TestService) =>
        method === "POST" ? add(to, ada, entries) : remove(to, ada, {});
      let failed = 0;
      const fewest = SEED % STEP;
      for (let answers = fewest; answers < 20; answers += STEP) {
        await emptyIndex(service.solr);
        if (method === "DELETE") await message(await add(service, ada, entries));
        left = answers;
        const first = await send(stalling);
        if (first.status === 202) break;
        failed += 1;
        expect((await unavailable(first)).type).toMatch(/search-timeout/);
        await message(await send(service));
        expect(await all()).toEqual(filesOf(method === "POST" ? entries : []));
      }
      // One for every request to Solr that it is made of, and those are five at least.
      expect(failed).toBeGreaterThanOrEqual(Math.ceil((5 - fewest) / STEP));
      expect(failed).toBeLessThan(20 / STEP);
      await stalling.close();
      proxy.close();
    },
  );
});

describe("a Solr that was killed and comes back", () => {
  it("makes requests 503 until it shows what it has acknowledged; nothing of that is lost or free", async () => {
    const bob = await person(service);
    const entries = many(5000);
    expect(await message(await add(service, ada, entries))).toBe(added(5000));
    const java = await identify(solr.pid);
    if (java === undefined) throw new Error("no Solr runs");
    signalProcess(java.pid, "SIGKILL");
    expect(await endsWithin(java, 10_000)).toBe(true);
    await unavailable(await remove(service, ada, {}));
    const starting = start(Number(solr.endpoint.urls[0].port));
    /** Its first answer that is no 503. */
    const answered = async (send: () => Promise<Response>): Promise<Response> => {
      for (;;) {
        const response = await send();
        if (response.status !== 503) return response;
        await unavailable(response);
        await sleep(20);
      }
    };
    const [ready, taken, gone] = await Promise.all([
      answered(() => service.get("/ready")).then(() => all()),
      answered(() => add(service, bob, entries.slice(4000))),
      answered(() => remove(service, ada, { file: "/u/1*" })),
    ]);
    solr = await starting;
    expect(ready.length).toBeGreaterThanOrEqual(4000);
    expect(await message(taken)).toBe(added(0, 1000));
    expect(await message(gone)).toBe(deleted(1000));
    expect(await all()).toEqual(filesOf(entries.slice(1000)));
  });
});
