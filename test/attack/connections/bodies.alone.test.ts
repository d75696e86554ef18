/** Bodies of requests: bounded while they are read, and none keeps the service from its other callers. */
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import type { Problem } from "../../../generated/schemas.js";
import { Serving, testSolrSettings } from "../../cli/command.js";
import { freshFolder } from "../../support/run/folders.js";
import { patience } from "../../support/run/trials.js";
import { emptyIndex } from "../../support/service/service.js";
import { addSharedUser, signIn } from "../../support/service/sign-in.js";
import { usePerson, useService } from "../../support/service/use-service.js";
import { entry, send } from "../../support/service/user-data.js";

const service = useService();
const ada = usePerson(service);
beforeAll(() => emptyIndex(service.solr));

const post = (body: string | Buffer, type = "application/json"): Promise<Response> =>
  service.get("/databrowser/userdata", {
    method: "POST",
    headers: { Authorization: `Bearer ${ada.token}`, "Content-Type": type },
    body: typeof body === "string" ? body : new Uint8Array(body),
  });

const MEGABYTES = 1 << 20;
/** Almost as many bytes as there may be in a body. */
const filled = (head: string, again: string, tail = ""): Buffer =>
  Buffer.concat([Buffer.from(head), Buffer.alloc(8 * MEGABYTES - 100, again), Buffer.from(tail)]);
/** JSON of many values that differ. */
const listed = (count: number, one: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => one(index)).join();

describe("a body", () => {
  it.each<[string, () => string | Buffer, number]>([
    ["of more bytes", () => `${filled('{"', "a")}${"a".repeat(100)}`, 413],
    ["of millions of arrays", () => filled("[", "[],"), 413],
    ["of millions of entries", () => filled('{"user_metadata":[', "[],"), 413],
    ["of millions of members", () => filled('{"user_metadata":[{', '"a":1,'), 413],
    ["of millions of arrays in facets", () => filled('{"facets":{"a":[', "[],"), 413],
    [
      "of an entry with 250,000 members",
      () => `{"user_metadata":[{${listed(250_000, (index) => `"k${index}":0`)}}]}`,
      413,
    ],
    ["of 250,000 members", () => `{${listed(250_000, (index) => `"k${index}":0`)}}`, 413],
    ["of 10,001 entries", () => `{"user_metadata":[${listed(10_001, () => "{}")}]}`, 413],
    ["of 10,000 empty entries", () => `{"user_metadata":[${listed(10_000, () => "{}")}]}`, 422],
    ["of one text", () => filled('{"user_metadata":["', "a", '"]}'), 422],
    ["of one key", () => filled('{"', "a", '":1}'), 422],
    ["of blanks", () => filled("{", " "), 400],
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
  ])("refuses %s, at once and at no cost", async (_, body, status) => {
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
  ])("refuses the key __proto__ by its name: %s", async (_, body, name) => {
    const response = await post(body);
    const { errors } = (await response.json()) as Problem;
    expect([response.status, errors?.map((error) => error.name)]).toEqual([422, [name]]);
  });

  it("refuses a form that is not UTF-8, also in its escapes", async () => {
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

  it("reports no error of the service if the sender leaves in the middle", async () => {
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
    "lets ping through within 200 ms while user data is sent",
    async () => {
      // A process of its own: the client's work is not the service's.
      const dataDir = freshFolder();
      const { name } = await addSharedUser(service.solr.state);
      const serving = await Serving.start({
        DATA_DIR: dataDir,
        ...testSolrSettings(),
        SOLR_TIMEOUT_MS: "120000",
        LOG_LEVEL: "warn",
      });
      try {
        const { access_token: token } = await signIn(serving, name);
        const pad = "x".repeat(Math.floor((8 * MEGABYTES * 0.98) / 10_000) - 190);
        const entries = Array.from({ length: 10_000 }, (_, index) =>
          entry(`/work/ada/${index}.nc`, { experiment: "none", note: pad }),
        );
        const all = { user_metadata: entries, facets: { project: "largest" } };
        // New, registered already, wrong throughout, and empty throughout.
        const wrong = { user_metadata: entries.map((one) => ({ ...one, time: "x" })) };
        const empty = { user_metadata: entries.map(() => ({})) };
        const times: number[] = [];
        for (const [body, status] of [
          [JSON.stringify(all), 202],
          [JSON.stringify(all), 202],
          [JSON.stringify(wrong), 422],
          [JSON.stringify(empty), 422],
        ] as const) {
          expect(body.length).toBeLessThan(8 * MEGABYTES);
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
