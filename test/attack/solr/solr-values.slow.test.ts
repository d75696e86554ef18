/** Values of callers on collections of several shards: whatever they hold, exactly the documents that have them are found, and never user data. */
import { unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { datasetId } from "../../../src/files/zarr/address.js";
import { CONTROLS, ODD_TEXTS } from "../../support/data/odd-texts.js";
import { attempts, chance, patience, SEED, tried } from "../../support/run/trials.js";
import {
  load,
  startService,
  type TestDocument,
  type TestService,
  testClient,
} from "../../support/service/service.js";
import { addUser, bearer, signIn } from "../../support/service/sign-in.js";
import { useCloud } from "../../support/solr/use-cloud.js";

const SPECIAL = [...ODD_TEXTS, ...CONTROLS];

/** What a caller would write who wants more than is theirs to see. */
const BREAKING_OUT = [
  "`",
  "a`b",
  "\\`",
  '`],"filter":["*:*"]}`',
  'x`","file:*"]}`,q=`*:*',
  "` OR *:* OR project:`",
  '`]}",fq="*:*",json="{`filter`:[`*:*',
  "`)} OR user:* OR (`",
  "\\u0060 OR *:* OR \\u0060",
  '"),search(files,q="*:*",fl="file",sort="file desc",qt="/export"',
  "\n#`\n",
];

const random = chance(SEED);
const below = (most: number): number => Math.floor(random() * most);

function character(): string {
  if (random() < 0.7) return SPECIAL[below(SPECIAL.length)] ?? "`";
  const code = random() < 0.5 ? below(0x250) : below(0x110000);
  return code >= 0xd800 && code < 0xe000 ? "`" : String.fromCodePoint(code);
}

/** Case and what begins like a negation are the subject of other tests. */
const fold = (text: string): string =>
  // To Java, this capital's small letter is a plain i; to JavaScript an i with a dot of its own.
  text.replaceAll("\u0130", "i").toUpperCase().toLowerCase();

/** A list or an object of JSON is read as the values that are in it; a list as Python prints it is refused. */
function isList(text: string): boolean {
  if (/^\[.*\]$/s.test(text)) return true;
  try {
    return typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
}

function makeValues(count: number): string[] {
  const values = new Map(BREAKING_OUT.map((value) => [fold(value), value]));
  while (values.size < count) {
    const value = Array.from({ length: 1 + below(8) }, character).join("");
    if (!/^(?:not |!|-)/.test(value) && !isList(value)) values.set(fold(value), value);
  }
  return [...values.values()];
}

const VALUES = makeValues(attempts(4000, 100_000));
/** So many values in one search. */
const TOGETHER = 40;

const document = (value: string, index: number): TestDocument => ({
  file: `/values/${index}.nc`,
  uri: value,
  project: [value],
  model: [`m${index % 50}`],
});
const PRIVATE: TestDocument[] = Array.from({ length: 20 }, (_, i) => ({
  file: `/home/jane/${i}.nc`,
  uri: `file:///home/jane/${i}.nc`,
  project: ["own"],
  user: "jane",
}));

const cloud = useCloud();
let service: TestService;
let token: string;
beforeAll(
  async () => {
    await cloud.create("files", 2);
    const topology = {
      cloud: true,
      shards: { files: ["shard1", "shard2"] },
    };
    const alone = testClient();
    service = await startService({
      endpoint: cloud.endpoint,
      topology,
      timeoutMs: 60_000,
      store: () => alone.state,
    });
    const { name } = await addUser(service.dataDir, "ada");
    token = (await signIn(service, name)).access_token;
    const all = [...VALUES.map(document), ...PRIVATE];
    expect((await load(service.solr, all)).refused).toBe(0);
  },
  patience(120_000, 600_000),
);
afterAll(() => service?.close());

/** A value that stands for itself. */
const literally = (text: string): string => text.replace(/[*?]/g, "\\$&");

function query(key: string, values: readonly string[]): string {
  const search = new URLSearchParams();
  for (const value of values) search.append(key, literally(value));
  return search.toString();
}

async function ask(path: string): Promise<Buffer> {
  const response = await service.get(`/databrowser/${path}`, bearer(token));
  const body = Buffer.from(await response.arrayBuffer());
  expect(response.status, `SEED=${SEED}, ${path}: ${body}`).toBe(200);
  return body;
}

const lines = (body: Buffer): string[] => body.toString().split("\n").slice(0, -1);
const list = async (search: string): Promise<string[]> =>
  lines(await ask(`data-search/native/file?${search}`));

const fileOf = (index: number): string => `/values/${index}.nc`;
const why = (search: string): string => `SEED=${SEED}, ${search}`;
/** As the service orders them. */
const ordered = (files: readonly string[]): string[] => [...files].sort().reverse();

/** Runs a check for every item, a few at a time. */
async function each<T>(items: readonly T[], check: (item: T) => Promise<void>): Promise<void> {
  const left = [...items.entries()];
  const worker = async (): Promise<void> => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) await check(next[1]);
  };
  await Promise.all(Array.from({ length: 4 }, worker));
}

describe("a search over two shards", () => {
  it(
    `finds exactly the documents that have the values, ${VALUES.length} of them`,
    async () => {
      tried(VALUES.length);
      const starts = Array.from(
        { length: Math.ceil(VALUES.length / TOGETHER) },
        (_, i) => i * TOGETHER,
      );
      await each(starts, async (start) => {
        const some = VALUES.slice(start, start + TOGETHER);
        const files = ordered(some.map((_, i) => fileOf(start + i)));
        const key = start % (2 * TOGETHER) === 0 ? "project" : "uri";
        const search = query(key, some);
        expect(await list(search), why(search)).toEqual(files);
      });
    },
    patience(60_000, 1_800_000),
  );

  it(
    "finds exactly the document that has a value, and all others if it is excluded",
    async () => {
      const some = VALUES.slice(0, attempts(150, 3000));
      tried(some.length);
      await each([...some.entries()], async ([index, value]) => {
        const search = query("project", [value]);
        expect(await list(search), why(search)).toEqual([fileOf(index)]);
        const others = `${query("project_not_", [value])}&model=m${index % 50}`;
        const rest = VALUES.flatMap((_, i) =>
          i % 50 === index % 50 && i !== index ? [fileOf(i)] : [],
        );
        expect(await list(others), why(others)).toEqual(ordered(rest));
      });
    },
    patience(60_000, 900_000),
  );

  it(
    "finds nothing if no document has the value, user data neither",
    async () => {
      const some = BREAKING_OUT.flatMap((value) => [`${value}x`, `x${value}`, value + value]);
      tried(some.length);
      const wildcards: [string, (rest: string) => boolean][] = [
        ["", (rest) => rest === ""],
        ["*", () => true],
        ["?", (rest) => [...rest].length === 1],
      ];
      await each(some, async (value) => {
        for (const [wildcard, holds] of wildcards) {
          const files = VALUES.flatMap((other, i) => {
            const [text, beginning] = [fold(other), fold(value)];
            const found = text.startsWith(beginning) && holds(text.slice(beginning.length));
            return found ? [fileOf(i)] : [];
          });
          const search = query("project", [value]) + wildcard;
          expect(await list(search), why(search)).toEqual(ordered(files));
          const nowhere = query("file", [value]) + wildcard;
          expect(await list(nowhere), why(nowhere)).toEqual([]);
        }
      });
    },
    patience(60_000),
  );

  it(
    "makes intake, STAC and load of the values alike",
    async () => {
      const some = [...VALUES.entries()].slice(0, attempts(15, 200));
      tried(some.length);
      await each(some, async ([index, value]) => {
        const search = query("project", [value]);
        const intake = JSON.parse(String(await ask(`intake-catalogue/native/file?${search}`))) as {
          catalog_dict: { file: string }[];
        };
        expect(intake.catalog_dict.map(({ file }) => file)).toEqual([fileOf(index)]);
        const archive = unzipSync(await ask(`stac-catalogue/native/file?${search}`));
        const items = Object.keys(archive).filter((name) => name.includes("/items/"));
        expect(items, why(search)).toHaveLength(1);
        const addresses = lines(await ask(`load/native?${search}`));
        expect(addresses).toHaveLength(1);
        expect(addresses[0]).toContain(datasetId(fileOf(index)));
      });
    },
    patience(60_000),
  );
});
