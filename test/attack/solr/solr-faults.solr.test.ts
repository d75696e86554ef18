/** Between the service and Solr: what a caller writes names no parameter there, and no failure there makes a short answer. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { USUAL_LOAD } from "../../../src/index/solr.js";
import { textChance } from "../../support/run/text-chance.js";
import { attempts, patience, SEED, tried } from "../../support/run/trials.js";
import { emptyIndex, load, startService, type TestService } from "../../support/service/service.js";
import { bearer } from "../../support/service/sign-in.js";
import { person } from "../../support/service/user-data.js";
import { type Asked, type Fault, useFaultySolr } from "../../support/solr/faulty-solr.js";

const COUNT = 3000;
/** Milliseconds until Solr must have said something. */
const DEADLINE = 500;

const wire = useFaultySolr();
let service: TestService;
/** The same with time enough for whatever the machine does. */
let patient: TestService;
let token: string;
beforeAll(async () => {
  // Read in stretches, so that a list is many requests.
  const partitions = { minCollection: 1000, range: 200 };
  const settings = { timeoutMs: DEADLINE, load: { ...USUAL_LOAD, partitions } };
  service = await startService({ endpoint: { urls: [wire.url] }, ...settings });
  patient = await startService({ endpoint: { urls: [wire.url] }, dataDir: service.dataDir });
  await emptyIndex(service.solr);
  const documents = Array.from({ length: COUNT }, (_, index) => ({
    file: `/faults/${String(index).padStart(5, "0")}/${"x".repeat(60)}.nc`,
    project: ["faults"],
  }));
  await load(service.solr, documents);
  token = (await person(service)).token;
});
afterEach(() => wire.fail(() => undefined));
afterAll(async () => {
  await patient.close();
  await service.close();
});

const LIST = "/databrowser/data-search/native/file";
const OPERATIONS = [
  LIST,
  `${LIST}?start=700`,
  "/databrowser/load/native",
  "/databrowser/intake-catalogue/native/file",
  "/databrowser/stac-catalogue/native/file",
];
/** Searches that Solr received since then. The service reads accounts and the version of the index by itself. */
const searches = (from: number): Asked[] =>
  wire.asked.slice(from).filter(({ path }) => !/^state\/|\/admin\/luke$/.test(path));

const METADATA = "/databrowser/metadata-search/native/file";

interface Got {
  readonly status: number;
  readonly text: string;
  /** Whether it came to its end. */
  readonly isWhole: boolean;
}

async function ask(path: string, of = service): Promise<Got> {
  const response = await of.get(path, of === service ? bearer(token) : {});
  const { status } = response;
  return response.arrayBuffer().then(
    (bytes) => ({ status, text: Buffer.from(bytes).toString("latin1"), isWhole: true }),
    () => ({ status, text: "", isWhole: false }),
  );
}

/** Of Solr's own words, with what nobody outside is to see. */
const words = (code: number) =>
  JSON.stringify({ error: { code, msg: "org.apache.solr.SomeException at 10.0.0.7:8983" } });

const FAULTS: Readonly<Record<string, Fault>> = {
  "400": { status: 400, body: words(400) },
  "401": { status: 401, body: "<html>401 Unauthorized</html>" },
  "404": { status: 404, body: "<html>404 Not Found</html>" },
  "500": { status: 500, body: words(500) },
  "503": { status: 503, body: words(503) },
  "a redirect": { status: 302, body: "" },
  "an empty 200": { status: 200, body: "" },
  "a page of HTML": { status: 200, body: "<html>proxy error</html>" },
  "JSON of another kind": { status: 200, body: '{"responseHeader":{"status":0}}' },
  null: { status: 200, body: "null" },
  "an error inside of a 200": {
    status: 200,
    body: '{"responseHeader":{"status":500},"response":{"numFound":0,"docs":[{"EXCEPTION":"x"}]}}',
  },
  "garbage after a while": { after: 4000, kind: "garbage" },
  "a stall at once": { after: 0, kind: "stall" },
  "a stall after a while": { after: 4000, kind: "stall" },
  "a reset": { after: 4000, kind: "reset" },
  "an end too soon": { after: 4000, kind: "end" },
};

describe("a faulty answer of Solr", () => {
  const NAMES = Object.keys(FAULTS);
  /** In short two operations and one page for each fault, of which another one has others. */
  const some = <T>(all: readonly T[], count: number, at: number): T[] =>
    Array.from({ length: count }, (_, i) => all[(at + 2 * i) % all.length] as T);

  it.each(NAMES)(
    "makes no answer that looks complete, on any page: %s",
    async (name) => {
      const fault = FAULTS[name];
      const at = NAMES.indexOf(name);
      const operations = some(OPERATIONS, attempts(2, OPERATIONS.length), at);
      let held = 0;
      let count = 0;
      for (const operation of operations) {
        for (const page of attempts([at % 3], [0, 1, 2, 3, 4])) {
          let left = page;
          let failed = false;
          wire.fail(({ path }) => {
            if (!/\/(export|stream)$/.test(path) || failed) return undefined;
            if (left > 0) {
              left -= 1;
              return undefined;
            }
            failed = true;
            return fault;
          });
          const { status, text, isWhole } = await ask(operation);
          const told = `${operation}, page ${page}: ${status} ${text.slice(0, 300)}`;
          if (!failed) {
            // It has fewer pages; or, on a busy machine, one was late before.
            if (status === 200) expect(isWhole, told).toBe(true);
            else expect(status, told).toBe(503);
            continue;
          }
          count += 1;
          if (status === 200) expect(isWhole, told).toBe(false);
          else {
            expect([422, 500, 503, 504], told).toContain(status);
            expect(text, told).not.toMatch(/10\.0\.0\.7|apache|Unauthorized|<html>/);
          }
          held += 1;
        }
      }
      wire.fail(({ path }) => (/\/(select|luke)$/.test(path) ? fault : undefined));
      const counts = await ask(METADATA);
      // Cut after more than it has to say, it is whole.
      if (fault && !("after" in fault && fault.after > 0)) {
        expect(counts.status, `${METADATA}: ${counts.text.slice(0, 300)}`).not.toBe(200);
      }
      expect(count).toBeGreaterThan(0);
      tried(count, held);
    },
    patience(40_000, 200_000),
  );

  it("serves the complete list when no answer is faulty, on however many pages", async () => {
    const from = wire.asked.length;
    const { text } = await ask(LIST);
    expect(text.split("\n")).toHaveLength(COUNT + 1);
    const pages = wire.asked.slice(from).filter(({ path }) => path.endsWith("/export"));
    expect(pages.length).toBeGreaterThan(4);
  });
});

describe("a text from a client", () => {
  /** What Solr was asked, without what callers may say: collection, handler, and the names of parameters. */
  const shape = (from: number): string[] =>
    searches(from).map(({ method, path, parameters }) => {
      const names = [...new Set(parameters.keys())].sort();
      return `${method} ${path} ${names.join(" ")} ${parameters.get("fl")} ${parameters.get("sort")}`;
    });

  it(
    "stays a value: it becomes no parameter, field, order or handler of Solr",
    async () => {
      const count = attempts(60, 2000);
      const { pick, text } = textChance(SEED);
      const INJECTED = [
        "&shards=127.0.0.1:9/solr/x",
        "&qt=/admin/info",
        "&stream.url=http://127.0.0.1:9/",
        "&fl=*",
        "&sort=random_1 asc",
        "%26shards%3D127.0.0.1:9",
        "\r\n&stream.body=<delete/>",
        "?shards=x#",
        ";shards=x",
        "\0&qt=/update",
        "{!xmlparser v=\"<!DOCTYPE a SYSTEM 'http://127.0.0.1:9/'><a/>\"}",
        "{!join fromIndex=state from=id to=file}*:*",
        "{!func}query($x)",
        "_query_:{!parent which=*:*}",
        "*:*&rows=1000000",
        "${solr.password}",
        '","fl","*',
        ') OR _val_:"sqrt(1)"',
        "[* TO *] shards.tolerant=true",
        '"}},{"delete":{"query":"*:*"}}',
        "{!graph from=a to=b}x",
      ];
      const searching = async (model: string): Promise<string[]> => {
        const from = wire.asked.length;
        await ask(`${LIST}?model=${model}&start=0`, patient);
        await ask(`${METADATA}?model=${model}`, patient);
        return shape(from);
      };
      // The first search also reads what all searches of an index share.
      await searching("first");
      const expected = await searching("second");
      expect(expected.length).toBeGreaterThan(1);
      for (let turn = 0; turn < count; turn += 1) {
        const value = `x${text(2)}${pick(INJECTED)}${text(2)}`.toWellFormed();
        const query = `model=${encodeURIComponent(value)}`;
        const from = wire.asked.length;
        const answers = [
          await ask(`${LIST}?${query}&start=0`, patient),
          await ask(`${METADATA}?${query}`, patient),
        ];
        const told = `SEED=${SEED} ${JSON.stringify(value)}`;
        for (const { status } of answers) expect([200, 422], told).toContain(status);
        // Where it has a wildcard, it is not looked for whether it is known.
        for (const one of shape(from)) expect(expected, told).toContain(one);
        expect(answers[0]?.text.includes(".nc"), told).toBe(false);
      }
      tried(count);
    },
    patience(30_000, 400_000),
  );
});
