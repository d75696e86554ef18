/** What a search is told of values that no entry has. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { MetadataSearchResult, Problem } from "../../../generated/schemas.js";
import { nearest } from "../../../src/domain/text/nearest-names.js";
import { FACET_NAMES } from "../../../src/domain/vocabulary/facets.js";
import { Loader } from "../../../src/index/loading/load.js";
import { inputOf, readDocuments } from "../../../src/index/loading/read-documents.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { sfText, unknownValuesHeader } from "../../../src/server/contract/structured-field.js";
import { isOnTheCloud } from "../../support/run/left-out.js";
import { attempts, chance, SEED } from "../../support/run/trials.js";
import { emptyIndex, load, startService, type TestService } from "../../support/service/service.js";
import { bearer } from "../../support/service/sign-in.js";
import { person } from "../../support/service/user-data.js";
import { useWire } from "../../support/solr/wire.js";

const HEADER = "Unknown-Values";
const SEARCH = "/databrowser/data-search";
const COUNTS = "/databrowser/metadata-search";

/** Every request to Solr, as its path. */
const asked: string[] = [];
let refuseChecks = false;
const wire = useWire(async function* (body) {
  yield* body;
});
let service: TestService;
let token: string;

beforeAll(async () => {
  wire.server.prependListener("request", (incoming, outgoing) => {
    const path = decodeURIComponent(String(incoming.url).replaceAll("+", " "));
    asked.push(path);
    if (refuseChecks && /json\.facet=/.test(path)) outgoing.writeHead(503).end();
  });
  service = await startService({ endpoint: { urls: [wire.url] } });
  token = (await person(service)).token;
  await emptyIndex(service.solr);
  const loader = new Loader(service.solr.http, {
    root: packagePath("data"),
    onRefused: ({ reason }) => {
      throw new Error(reason);
    },
  });
  await loader.load(readDocuments(inputOf(packagePath("data", "catalogue.jsonl"))));
  await load(service.solr, [
    { file: "/old/v20190101/a.nc", variable: ["only-old"], model: ["MODEL-é"] },
    { file: "/old/v20200101/a.nc", variable: ["newer"], model: ["MODEL-é"] },
    { file: "/home/jane/own.nc", project: ["janes"], user: "jane" },
  ]);
});
afterAll(() => service.close());
beforeEach(() => {
  asked.length = 0;
});

async function told(path: string): Promise<string | null> {
  const response = await service.get(path, bearer(token));
  await response.arrayBuffer();
  return response.headers.get(HEADER);
}

async function counts(path: string): Promise<MetadataSearchResult> {
  const response = await service.get(path);
  expect(response.status).toBe(200);
  return (await response.json()) as MetadataSearchResult;
}

describe("an unknown value", () => {
  it("is reported with near spellings, in a header of every operation that searches", async () => {
    const expected = '"variable_id=tass";near="tas"';
    const query = "?variable_id=tass&variable_id=tas&dataset=sample";
    expect(await told(`${SEARCH}/cmip6/file${query}`)).toBe(expected);
    expect(await told(`${COUNTS}/cmip6/file${query}`)).toBe(expected);
    expect(await told(`/databrowser/intake-catalogue/cmip6/uri${query}`)).toBe(expected);
    expect(await told(`/databrowser/stac-catalogue/cmip6/file${query}`)).toBe(expected);
    expect(await told(`/databrowser/load/cmip6${query}`)).toBe(expected);
    expect(await told(`/databrowser/load/cmip6/file${query}&catalogue-type=intake`)).toBe(expected);
  });

  it("is reported if it leaves nothing to list, also by the error for that", async () => {
    const response = await service.get(`${SEARCH}/native/file?variable=tass&experiment=historcal`);
    expect([response.status, await response.text()]).toEqual([200, ""]);
    expect(response.headers.get(HEADER)).toBe(
      '"variable=tass";near="tas", "experiment=historcal";near="historical"',
    );
    for (const [operation, status] of [
      ["intake-catalogue", 400],
      ["stac-catalogue", 404],
    ]) {
      const none = await service.get(`/databrowser/${operation}/cmip6/file?variable_id=tass`);
      expect(none.status).toBe(status);
      expect(none.headers.get(HEADER)).toBe('"variable_id=tass";near="tas"');
      const { detail } = (await none.json()) as Problem;
      expect(detail).toMatch(/No entry has the variable_id "tass"; did you mean "tas"/);
    }
  });

  it("is in a metadata search's body, with an empty array if all are known", async () => {
    const unknown = await counts(`${COUNTS}/cmip6/file?variable_id=!TAZ&frequency=mon`);
    expect(unknown.unknown_values?.[0]).toMatchObject({ name: "variable_id", value: "TAZ" });
    expect(unknown.unknown_values?.[0]?.near).toContain("tas");
    expect(unknown.total_count).toBeGreaterThan(0);
    const known = await counts(`${COUNTS}/cmip6/file?variable_id=Tas&source_id=mpi*`);
    expect(known.unknown_values).toEqual([]);
    expect((await counts(`${COUNTS}/native/file`)).unknown_values).toEqual([]);
  });

  it("is looked for in any version that the flavour can see, not in wildcards, time and box", async () => {
    const unknown = async (flavour: string, query: string) =>
      (await counts(`${COUNTS}/${flavour}/file?${query}`)).unknown_values?.map(
        ({ name, value }) => `${name}=${value}`,
      );
    expect(await unknown("native", "variable=only-old")).toEqual([]);
    expect(await unknown("native", "variable=newer&model=model-É")).toEqual([]);
    expect(await unknown("native", "project=janes")).toEqual(["project=janes"]);
    expect(await unknown("user", "project=janes&variable=tas")).toEqual(["variable=tas"]);
    expect(await unknown("native", "variable=zz*&time=1200&bbox=0,1,0,1")).toEqual([]);
    expect(await unknown("native", "variable=z\\*&version=v0&multi-version=true")).toEqual([
      "variable=z*",
      "version=v0",
    ]);
    expect(await unknown("native", "file=/OLD/v20200101/a.nc&uri_not_=none")).toEqual([
      "file=/OLD/v20200101/a.nc",
      "uri=none",
    ]);
  });

  it("reveals no names of users", async () => {
    const response = await service.get(`${COUNTS}/user/file?user=jan&project=jane`);
    const text = await response.text();
    expect(JSON.parse(text).unknown_values).toEqual([
      { name: "project", value: "jane", near: ["janes"] },
    ]);
    expect(response.headers.get(HEADER)).not.toContain("user");
  });

  it("is looked for again after a load, although the newest versions are the same", async () => {
    const path = `${COUNTS}/native/file?variable=late&facets=project`;
    const first = await service.get(path);
    const tag = first.headers.get("etag") ?? "";
    expect(((await first.json()) as MetadataSearchResult).unknown_values).toHaveLength(1);
    const same = await service.get(path, { headers: { "If-None-Match": tag } });
    expect(same.status).toBe(304);
    await load(service.solr, [{ file: "/old/v20180101/a.nc", variable: ["late"] }]);
    const changed = await service.get(path, { headers: { "If-None-Match": tag } });
    expect(changed.status).toBe(200);
    expect(((await changed.json()) as MetadataSearchResult).unknown_values).toEqual([]);
  });

  // Over several shards a list takes several requests, and which shards there are is looked at now and then.
  it.skipIf(isOnTheCloud)("costs no request if the search itself shows its values", async () => {
    const other = await startService({ endpoint: { urls: [wire.url] } });
    const requests = async (path: string) => {
      asked.length = 0;
      await (await other.get(path)).arrayBuffer();
      // The service reads tokens and the version of the index by itself now and then.
      return asked.filter((one) => !/\/state\/|\/admin\/luke/.test(one)).length;
    };
    // How much there is at all is asked before the first list, and then now and then.
    await requests(`${SEARCH}/native/file`);
    expect(
      await requests(`${COUNTS}/native/file?variable=tas&variable=pr&realm=atmos`),
      asked.join("\n"),
    ).toBe(1);
    expect(await requests(`${SEARCH}/native/file?time_frequency=mon&model=mpi-esm1-2-lr`)).toBe(1);
    expect(await requests(`${SEARCH}/native/file?experiment_not_=historical`)).toBe(2);
    expect(await requests(`${SEARCH}/native/file?model=MPI*`)).toBe(1);
    expect(await requests(`${SEARCH}/native/file?model=none`)).toBe(3);
    await other.close();
  });

  it("is not reported, nor said to be known, if that cannot be found out", async () => {
    refuseChecks = true;
    try {
      const response = await service.get(`${COUNTS}/native/file?variable=nowhere`);
      expect(response.status).toBe(200);
      expect(await response.json()).not.toHaveProperty("unknown_values");
      expect(response.headers.get(HEADER)).toBeNull();
      expect((await service.get(`${SEARCH}/native/file?variable=nowhere`)).status).toBe(200);
    } finally {
      refuseChecks = false;
    }
  });

  it("is reported within bounds: twenty at most, in a header of two kilobytes", async () => {
    const values = Array.from({ length: 500 }, (_, index) => `x${index}${"y".repeat(index % 300)}`);
    const query = new URLSearchParams(values.map((value) => ["model", value]));
    const response = await service.get(`${COUNTS}/native/file?${String(query).slice(0, 12_000)}`);
    expect(response.headers.get(HEADER)?.length).toBeLessThanOrEqual(2048);
    const { unknown_values } = (await response.json()) as MetadataSearchResult;
    expect(unknown_values).toHaveLength(20);
  });
});

describe("the values of the sample", () => {
  it("are reported as unknown exactly if no document has them", async () => {
    const random = chance(SEED);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
    const all = await counts(`${COUNTS}/native/file?multi-version=true`);
    const there = Object.entries(all.facets).flatMap(([facet, values]) =>
      values.filter((_, index) => index % 2 === 0).map((value) => [facet, value] as const),
    );
    const isThere = (facet: string, value: string): boolean =>
      there.some((one) => one[0] === facet && one[1] === value.toLowerCase());
    const facets = FACET_NAMES.filter((facet) => facet in all.facets);
    for (let turn = 0; turn < attempts(60, 3000); turn += 1) {
      const chosen = Array.from({ length: 1 + Math.floor(random() * 4) }, () => {
        const [facet, value] = pick(there);
        const other = pick([facet, facet, pick(facets)]);
        const spelled = pick([value, value.toUpperCase(), `${value}x`, value.slice(1) || "x"]);
        return [other, spelled, pick(["", "", "_not_"])] as const;
      }).filter(([, value]) => !/^(?:not |!|-|\[|\{|")|[*?]|^\s*$/.test(value));
      const query = new URLSearchParams(
        chosen.map(([facet, value, not]) => [`${facet}${not}`, value]),
      );
      query.set("multi-version", "true");
      const operation = pick([COUNTS, SEARCH]);
      const response = await service.get(`${operation}/native/file?${query}`);
      const text = await response.text();
      const expected = new Set(
        chosen.flatMap(([facet, value]) =>
          isThere(facet, value) ? [] : [sfText(`${facet}=${value}`)],
        ),
      );
      const header = response.headers.get(HEADER) ?? "";
      const members = header.split(/, (?=%?")/).map((member) => member.replace(/;near=.*$/, ""));
      expect(new Set(members.filter(Boolean)), `SEED=${SEED}: ${query}`).toEqual(expected);
      if (operation === COUNTS) {
        const { unknown_values = [] } = JSON.parse(text) as MetadataSearchResult;
        for (const { name, near } of unknown_values) {
          for (const value of near)
            expect(isThere(name, value), `SEED=${SEED}: ${query}`).toBe(true);
        }
      }
    }
  });
});

describe("a structured field", () => {
  it("contains any text (RFC 9651)", () => {
    expect(sfText('a "b" \\c')).toBe('"a \\"b\\" \\\\c"');
    expect(sfText('é%"\n')).toBe('%"%c3%a9%25%22%0a"');
    const long = [{ name: "model", value: "💥".repeat(5000), near: ["ä".repeat(300)] }];
    const { [HEADER]: header = "" } = unknownValuesHeader(long) as Record<string, string>;
    expect(header.length).toBeLessThanOrEqual(2048);
    expect(header).toMatch(/^%"[\x20-\x7e]*"(;near=%"[\x20-\x7e]*")?$/);
  });
});

describe("the nearest names", () => {
  it("are those of the least distance", () => {
    const random = chance(SEED);
    const distance = (a: string, b: string): number => {
      if (a === "" || b === "") return a.length + b.length;
      const [x, y] = [a.slice(1), b.slice(1)];
      if (a[0] === b[0]) return distance(x, y);
      const slip = 1 + Math.min(distance(x, b), distance(a, y), distance(x, y));
      const isSwap = a.length > 1 && b.length > 1 && a[0] === b[1] && a[1] === b[0];
      return isSwap ? Math.min(slip, 1 + distance(a.slice(2), b.slice(2))) : slip;
    };
    const word = () =>
      Array.from({ length: 1 + Math.floor(random() * 4) }, () => "abc"[Math.floor(random() * 3)]);
    for (let turn = 0; turn < attempts(200, 5000); turn += 1) {
      const known = [...new Set(Array.from({ length: 8 }, () => word().join("")))];
      const unknown = word().join("");
      const far = (name: string): number => {
        const isPart = name.length > 2 && unknown.length > 2;
        const contains = isPart && (name.includes(unknown) || unknown.includes(name));
        return contains
          ? 0.5 + Math.abs(name.length - unknown.length) / 200
          : distance(unknown, name);
      };
      const expected = known.sort((a, b) => far(a) - far(b)).slice(0, 3);
      expect(nearest(unknown, known).map(far), `SEED=${SEED}`).toEqual(expected.map(far));
    }
  });
});
