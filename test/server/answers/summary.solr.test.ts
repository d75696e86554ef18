/** How much a search finds: every number by plain arithmetic, and estimates beside what the operations really give. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Summary } from "../../../generated/schemas.js";
import type { Known } from "../../support/data/known-documents.js";
import { attempts, chance, SEED } from "../../support/run/trials.js";
import { fillIndex, load, type TestDocument } from "../../support/service/service.js";
import { useService } from "../../support/service/use-service.js";
import { summary as expected } from "./expected/expected.js";
import { oddDocuments } from "./expected/odd-documents.js";

const random = chance(SEED);
const below = (most: number): number => Math.floor(random() * most);
const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T;

/** Odd ones, data of a user's own, a few without years; and thousands of kinds that differ much in length. */
const ODD = oddDocuments(random, 200);
const VARIABLES = Array.from({ length: 60 }, (_, i) => `variable_${i}`);

/** Kinds of documents, by how often they come. */
const KINDS: Readonly<Record<string, (index: number) => Partial<TestDocument>>> = {
  usual: (index) => ({
    file: `/pool/CMIP6/CMIP/X/MODEL/historical/r${index % 20}i1p1f1/Amon/v/gn/v20190101/tas_${index}.nc`,
    variable: ["tas"],
    ensemble: [`r${index % 20}i1p1f1`],
    bbox: "ENVELOPE(-180,180,90,-90)",
    time: `[${1850 + (index % 100)} TO ${1860 + (index % 100)}]`,
  }),
  short: (index) => ({ file: `/s/${index}`, format: "grb", variable: ["t"] }),
  long: (index) => ({
    file: `/archive/${"a folder of many ".repeat(8)}/${index % 3}/${index}.nc`,
    uri: `https://data.example.org/${"long/".repeat(20)}${index}`,
    model: [`MODEL-${"X".repeat(80)}-${index % 5}`],
    fs_type: "hsm",
  }),
  several: (index) => ({
    file: `/several/${index}.nc`,
    variable: VARIABLES.slice(0, 20 + below(40)),
    realm: ["atmos", "ocean", "land"],
    time: "fx",
  }),
};
const SHARES = { usual: 0.6, short: 0.85, long: 0.95, several: 1 };

const THOUSANDS: TestDocument[] = Array.from({ length: attempts(3000, 20_000) }, (_, index) => {
  const chosen = random();
  // One kind after the other, as archives are crawled: what lies together is alike.
  const at = index / attempts(3000, 20_000);
  const by = index % 2 === 0 ? chosen : at;
  const [kind = "usual"] = Object.entries(SHARES).find(([, share]) => by < share) ?? [];
  const made = KINDS[kind]?.(index);
  return {
    project: ["thousands"],
    experiment: [`e${index % 9}`],
    product: [kind],
    ...made,
    file: String(made?.file),
  };
});

const service = useService();
beforeAll(async () => {
  const { refused } = await fillIndex(service.solr, [
    ...ODD.map(({ document }) => document),
    ...THOUSANDS,
  ]);
  expect(refused).toBe(0);
});

async function summary(path: string): Promise<Summary> {
  const response = await service.get(`/databrowser/summary/${path}`);
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return JSON.parse(text) as Summary;
}

const KNOWN = ODD.map(({ known }) => known);
const own = ({ values }: Known): boolean => values.get("user")?.includes("jane") === true;
const newest = (one: Known): boolean => one.isNewest && !own(one);
const has = (native: string, value: string) => (one: Known) =>
  one.values.get(native)?.includes(value) === true;
const isConstant = ({ period }: Known): boolean =>
  period !== undefined && period.start === undefined && period.end === undefined;

describe("a summary", () => {
  it.each<[search: string, finds: (one: Known) => boolean]>([
    ["native/file?project=cmip6", newest],
    ["native/file?project=cmip6&multi-version=true", (one) => !own(one)],
    [
      "cmip6/file?mip_era=cmip6&variable_id=TAS",
      (one) => newest(one) && has("variable", "tas")(one),
    ],
    ["native/file?fs_type=hsm", (one) => newest(one) && has("fs_type", "hsm")(one)],
    ["native/file?project=cmip6&format_not_=nc", (one) => newest(one) && !has("format", "nc")(one)],
    [
      "native/file?project=cmip6&retracted=true",
      (one) => newest(one) && has("retracted", "true")(one),
    ],
    ["native/file?project=cmip6&time=fx", (one) => newest(one) && isConstant(one)],
    ["user/file", own],
    ["native/uri?project=cmip6", () => false],
    ["native/file?project=none", () => false],
  ])("agrees with plain arithmetic: %s", async (search, finds) => {
    const { estimated_bytes, ...numbers } = await summary(
      search.replace("hsm", "hsm&project=cmip6"),
    );
    const found = KNOWN.filter(finds);
    expect(numbers, `SEED=${SEED}`).toEqual(expected(found));
    const lengths = Object.values(estimated_bytes);
    expect(lengths.every((length) => length > 0)).toBe(found.length > 0);
  });

  it("estimates the lengths of lists within a fifth", async () => {
    for (let turn = 0; turn < attempts(6, 100); turn++) {
      const query = new URLSearchParams({ mip_era: "thousands" });
      if (turn % 3 > 0) query.set("experiment_id", `e${below(9)}`);
      if (turn % 2 > 0) query.set("activity_id_not_", pick(Object.keys(KINDS)));
      if (random() < 0.3) query.set("multi-version", "true");
      const path = `cmip6/${pick(["file", "file", "uri"])}?${query}`;
      const { files, estimated_bytes: told } = await summary(path);
      // Of nothing there are no catalogues.
      if (files === 0) {
        expect(told).toEqual({ path_list: 0, intake_catalogue: 0, stac_archive: 0 });
        continue;
      }
      for (const [operation, length] of [
        ["data-search", told.path_list],
        ["intake-catalogue", told.intake_catalogue],
        ["stac-catalogue", told.stac_archive],
      ] as const) {
        const response = await service.get(`/databrowser/${operation}/${path}`);
        const { byteLength } = await response.arrayBuffer();
        const said = `SEED=${SEED}, ${operation}/${path}`;
        expect(length / byteLength, said).toBeGreaterThan(0.8);
        expect(length / byteLength, said).toBeLessThan(1.2);
      }
    }
  });

  it("is confirmed as long as nothing changes, and never stale, also beside writes", async () => {
    const path = "native/file?project=written";
    const first = await service.get(`/databrowser/summary/${path}`);
    const headers = { "If-None-Match": first.headers.get("etag") ?? "" };
    const again = await service.get(`/databrowser/summary/${path}`, { headers });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    const WRITES = attempts(6, 60);
    let written = 0;
    const write = async () => {
      for (let i = 0; i < WRITES; i++) {
        const file = `/written/d${i}/written_${i}.nc`;
        await load(service.solr, [{ file, project: ["written"], size: 10 }]);
        written += 1;
      }
    };
    const writing = write();
    for (let isOver = false; !isOver; ) {
      isOver = written === WRITES;
      const least = written;
      const { files, bytes } = await summary(path);
      expect(files).toBeGreaterThanOrEqual(least);
      expect(bytes).toBe(10 * files);
    }
    await writing;
    expect((await summary(path)).files).toBe(WRITES);
  });
});
