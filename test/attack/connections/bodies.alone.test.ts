/** Bodies of requests: bounded while they are read, and none keeps the service from its other callers. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Problem } from "../../../generated/schemas.js";
import { JsonReader } from "../../../src/server/contract/input/json-text.js";
import { freshFolder, Serving, testSolrSettings } from "../../cli/command.js";
import { attempts, patience } from "../../support/run/attempts.js";
import { chance, SEED } from "../../support/run/chance.js";
import { tried } from "../../support/run/tried.js";
import type { TestService } from "../../support/service/service.js";
import { addUser, signIn } from "../../support/service/sign-in.js";
import {
  closeEmpty,
  entry,
  type Person,
  send,
  startWithPerson,
} from "../../support/service/user-data.js";

let service: TestService;
let ada: Person;

beforeAll(async () => {
  ({ service, ada } = await startWithPerson());
});
afterAll(() => closeEmpty(service));

const post = (body: string | Buffer, type = "application/json"): Promise<Response> =>
  service.get("/databrowser/userdata", {
    method: "POST",
    headers: { Authorization: `Bearer ${ada.token}`, "Content-Type": type },
    body: typeof body === "string" ? body : new Uint8Array(body),
  });

const MEGABYTES = 1 << 20;
/** As many bytes of a text as there may be in a body, or a little more. */
const filled = (head: string, again: string, megabytes = 63): Buffer =>
  Buffer.concat([Buffer.from(head), Buffer.alloc(megabytes * MEGABYTES, again)]);

describe("a body", () => {
  it.each<[string, () => string | Buffer, number]>([
    ["of millions of arrays", () => filled("[", "[],"), 413],
    ["of millions of entries", () => filled('{"user_metadata":[', "[],"), 413],
    ["of millions of members", () => filled('{"user_metadata":[{', '"a":1,'), 413],
    ["of millions of arrays in facets", () => filled('{"facets":{"a":[', "[],"), 413],
    ["of one text", () => filled('{"user_metadata":[{"a":"', "a"), 413],
    ["of one key", () => filled('{"', "a"), 413],
    ["of blanks", () => filled("{", " "), 413],
    ["of blanks in an array", () => filled('{"user_metadata":[', " "), 413],
    ["of arrays in each other", () => filled("", "["), 422],
    ["of objects in each other", () => filled("", '{"a":'), 422],
    ["that closes more than it opens", () => '{"user_metadata":[]}]', 400],
    ["that closes otherwise than it opens", () => '{"user_metadata":[1}]', 400],
    ["without an entry between two commas", () => '{"user_metadata":[1,,2]}', 400],
    ["with a comma at its end", () => '{"user_metadata":[1,]}', 400],
    ["with only a comma", () => '{"user_metadata":[,]}', 400],
    ["that ends in an array", () => '{"user_metadata":[1', 400],
    ["of two values", () => '{"user_metadata":[]}{"user_metadata":[]}', 400],
    ["of nothing", () => " ", 400],
    ["with an array for a key", () => '{["user_metadata"]:[]}', 400],
    ["that is no UTF-8", () => Buffer.from('{"user_metadata":[{"a":"\xff"}]}', "latin1"), 400],
    ["whose key is no UTF-8", () => Buffer.from('{"\xc3":[]}', "latin1"), 400],
    ["whose rest is no UTF-8", () => Buffer.from('{"facets":{"a":"\xed\xa0\x80"}}', "latin1"), 400],
  ])("%s is refused, at once and at no cost", async (_, body, status) => {
    const bytes = body();
    const before = process.memoryUsage().rss;
    const begun = performance.now();
    const response = await post(bytes);
    const text = (await response.text()).slice(0, 300);
    expect([response.status, response.headers.get("content-type")], text).toEqual([
      status,
      "application/problem+json",
    ]);
    expect(performance.now() - begun).toBeLessThan(5000);
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * MEGABYTES);
  });

  it.each([
    ["at its top", '{"user_metadata":[],"__proto__":{}}', "__proto__"],
    ["escaped", '{"user_metadata":[],"\\u005f_proto__":1}', "__proto__"],
    ["in facets", '{"user_metadata":[],"facets":{"__proto__":"x"}}', "facets.__proto__"],
    ["in an entry", `{"user_metadata":[1,{"__proto__":1}]}`, "user_metadata[1].__proto__"],
    ["deep", `{"user_metadata":[{"a":[{"__proto__":1}]}]}`, "user_metadata[0].a[0].__proto__"],
  ])("with the key __proto__ %s is refused by its name", async (_, body, name) => {
    const response = await post(body);
    const { errors } = (await response.json()) as Problem;
    expect([response.status, errors?.map((error) => error.name)]).toEqual([422, [name]]);
  });

  it("of a form that is no UTF-8, or does not say so in its escapes, is refused", async () => {
    for (const body of [Buffer.from("username=\xff", "latin1"), "username=%ff", "username=%c3"]) {
      const response = await fetch(`${service.address}/api/climate-nextgen/auth/v2/token`, {
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
        body: typeof body === "string" ? body : new Uint8Array(body),
      });
      expect([response.status, response.headers.get("content-type")]).toEqual([
        400,
        "application/problem+json",
      ]);
    }
  });

  it("whose sender leaves in the middle is no error of the service", async () => {
    const before = service.log.length;
    const end = new AbortController();
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        controller.enqueue(Buffer.from('{"user_metadata":['));
        await sleep(100);
        end.abort();
      },
    });
    const init = { method: "POST", body, duplex: "half", signal: end.signal } as RequestInit;
    const headers = { Authorization: `Bearer ${ada.token}`, "Content-Type": "application/json" };
    await expect(service.get("/databrowser/userdata", { ...init, headers })).rejects.toThrow();
    await sleep(200);
    for (const line of service.log.slice(before)) expect(JSON.parse(line).level).toBeLessThan(40);
  });

  it("in JSON is read as JSON.parse reads it, however it is cut into pieces", () => {
    const random = chance(SEED);
    const pick = <T>(...values: readonly T[]): T =>
      values[Math.floor(random() * values.length)] as T;
    const value = (depth: number): unknown => {
      if (depth > 4) return pick<unknown>(1, -2.5e3, "", 'a"\\,[]{}', "ü\u2028€😀", true, null);
      const length = Math.floor(random() * 4);
      const members = Array.from({ length }, () => value(depth + pick(1, 1, 3)));
      if (random() < 0.4) return members;
      return Object.fromEntries(
        members.map((member, index) => [pick("a", 'b"', "[", "ü") + index, member]),
      );
    };
    const turns = attempts(2000, 100_000);
    tried(turns);
    for (let turn = 0; turn < turns; turn += 1) {
      let text = JSON.stringify(
        value(0),
        null,
        pick<undefined | number | string>(undefined, 1, "\t"),
      );
      // Now and then something that is wrong.
      const at = Math.floor(random() * text.length);
      if (random() < 0.4)
        text =
          text.slice(0, at) + pick("", ",", "]", "}", "[", '"', "\\", "x") + text.slice(at + 1);
      // A character that was cut in two is another one in UTF-8.
      text = Buffer.from(text).toString();
      let expected: unknown = "no JSON";
      try {
        expected = JSON.parse(text);
      } catch {}
      const reader = new JsonReader({ entries: 1000, values: 1000 });
      let found: unknown;
      try {
        const bytes = Buffer.from(text);
        for (let from = 0; from < bytes.length; ) {
          const length = 1 + Math.floor(random() * pick(1, 5, 200));
          reader.read(bytes.subarray(from, from + length));
          from += length;
        }
        found = reader.finish();
      } catch {
        found = "no JSON";
      }
      expect(found, `SEED=${SEED}: ${text}`).toEqual(expected);
    }
  }, 300_000);
});

describe("the largest body", () => {
  /** Milliseconds that answers to `ping` take, one after the other, until something is done. */
  async function pings(address: string, until: Promise<unknown>): Promise<number[]> {
    let done = false;
    until.finally(() => {
      done = true;
    });
    const times: number[] = [];
    while (!done) {
      const begun = performance.now();
      await (await fetch(`${address}/api/climate-nextgen/ping`)).text();
      times.push(performance.now() - begun);
      await sleep(5);
    }
    return times;
  }

  it(
    "of user data lets ping through within 200 ms",
    async () => {
      // A process of its own: the client's work is not the service's.
      const dataDir = await freshFolder();
      const { name } = await addUser(dataDir);
      const serving = await Serving.start({
        DATA_DIR: dataDir,
        ...testSolrSettings(),
        SOLR_TIMEOUT_MS: "120000",
        LOG_LEVEL: "warn",
      });
      try {
        const { access_token: token } = await signIn(serving, name);
        const count = attempts(8000, 100_000);
        const pad = "x".repeat(Math.floor((64 * MEGABYTES * 0.98) / 100_000) - 190);
        const entries = Array.from({ length: count }, (_, index) =>
          entry(`/work/ada/${index}.nc`, { experiment: "none", note: pad }),
        );
        const all = { user_metadata: entries, facets: { project: "largest" } };
        // New, registered already, and wrong throughout.
        const wrong = { user_metadata: entries.map((one) => ({ ...one, time: "x" })) };
        const times: number[] = [];
        for (const [body, status] of [
          [JSON.stringify(all), 202],
          [JSON.stringify(all), 202],
          [JSON.stringify(wrong), 422],
        ] as const) {
          expect(body.length).toBeLessThan(64 * MEGABYTES);
          const sent = send(serving, "POST", { name, sub: "", token }, body);
          times.push(...(await pings(serving.address, sent)));
          const response = await sent;
          expect(response.status, (await response.text()).slice(0, 300)).toBe(status);
        }
        times.sort((a, b) => a - b);
        const slow = times.at(Math.floor(times.length * 0.99));
        expect(slow, `${times.length} pings, at most ${times.at(-1)} ms`).toBeLessThan(200);
      } finally {
        await serving.end("SIGTERM");
      }
    },
    patience(60_000, 600_000),
  );
});
