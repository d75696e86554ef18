/** Why a search finds nothing: every number by the same arithmetic over the same documents. */
import { beforeAll, describe, expect, it } from "vitest";
import type { MetadataSearchResult, Why } from "../../../generated/schemas.js";
import { builtIn } from "../../../src/domain/vocabulary/flavours.js";
import { longName } from "../../../src/domain/vocabulary/long-names/long-names.js";
import {
  type Condition,
  found,
  has,
  type Known,
  type Meant,
} from "../../support/data/known-documents.js";
import { attempts, chance, SEED } from "../../support/run/trials.js";
import { emptyIndex, fillIndex, load } from "../../support/service/service.js";
import { useService } from "../../support/service/use-service.js";
import { named, unmatched, without } from "./expected/expected.js";
import { oddDocuments } from "./expected/odd-documents.js";

const WHY = "/databrowser/why";
const words = (text: string): string[] => text.toLowerCase().split(/[-_. /]+/);

const random = chance(SEED);
const below = (most: number): number => Math.floor(random() * most);
const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T;
const ODD = oddDocuments(random, 300);
/** Many values of one facet, each of few documents: data of a user, so that other flavours do not see them. */
const MANY = 6000;

const service = useService();
beforeAll(async () => {
  await emptyIndex(service.solr);
  const many = Array.from({ length: MANY }, (_, i) => ({
    file: `/many/${i}.nc`,
    user: "many",
    project: ["many"],
    model: ["m"],
    experiment: ["e"],
    ensemble: [`r${i}i1p1f1`, ...(i === 4711 ? ["Member-Of-Its-Own", "member-of-its-own"] : [])],
    variable: ["zg500"],
    tracking_id: [`hdl:21.14100/${(i * 7919).toString(16).padStart(12, "0")}`],
  }));
  const withdrawn = { file: "/withdrawn.nc", user: "many", project: ["few"], retracted: true };
  const all = [...ODD.map(({ document }) => document), ...many, withdrawn];
  const { refused } = await load(service.solr, all);
  expect(refused).toBe(0);
});

async function why(path: string): Promise<Why> {
  const response = await service.get(`${WHY}/${path}`);
  const text = await response.text();
  expect(response.status, `${path}: ${text}`).toBe(200);
  return JSON.parse(text) as Why;
}

const CMIP6: Readonly<Record<string, string>> = {
  model: "source_id",
  variable: "variable_id",
  experiment: "experiment_id",
  ensemble: "member_id",
  product: "activity_id",
};
/** Some that there are, in any case, some that are misspelled, some that nobody would write. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  model: ["mpi-esm1-2-lr", "MPI_ESM1_2_HR", "MPI-ESM*", "awi-cm", "CanESM", "CanESM5", "nothing"],
  variable: ["tas", "TaS", "tos", "air_temperature", "precipitation", "p?", "hur", "zzz"],
  experiment: ["historical", "hystorical", "HISTORICAL", "ssp*", "ssp-585", "pi"],
  ensemble: ["r1i1p1f1", "r3i1p1f1", "r*", "r1"],
  fs_type: ["hsm", "posix", "tape"],
  format: ["nc", "zar", "grb"],
  product: ["cmip", "ScenarioMIP", "scenario-mip", "input"],
};

const nameIn =
  (flavour: "native" | "cmip6") =>
  (native: string): string =>
    flavour === "cmip6" ? (CMIP6[native] ?? native) : native;

function conditions(count: number): Condition[] {
  const all = new Map<string, Condition>();
  while (all.size < count) {
    const one = condition();
    all.set(
      named(one, (native) => native),
      one,
    );
  }
  return [...all.values()];
}

function condition(): Condition {
  const kind = random();
  if (kind < 0.1) {
    const values = [`${1800 + below(300)} to ${2100 + below(50)}`];
    return { native: "time", values, isExcluded: false };
  }
  if (kind < 0.2) {
    // It crosses no edge of the map.
    const values = [`${-180 + below(200)},${30 + below(140)},-60,${60 - below(60)}`];
    return { native: "bbox", values, isExcluded: false };
  }
  const native = pick(Object.keys(VALUES));
  const values = Array.from({ length: 1 + below(2) }, () => pick(VALUES[native] ?? []));
  return { native, values: [...new Set(values)], isExcluded: random() < 0.25 };
}

/** Slips between two texts, by their definition. */
function slips(a: string, b: string): number {
  const row = (i: number, j: number): number => {
    if (i === 0 || j === 0) return i + j;
    const key = i * 100 + j;
    const known = table.get(key);
    if (known !== undefined) return known;
    const change = row(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
    const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
    const least = Math.min(
      row(i - 1, j) + 1,
      row(i, j - 1) + 1,
      change,
      ...(isSwap ? [row(i - 2, j - 2) + 1] : []),
    );
    table.set(key, least);
    return least;
  };
  const table = new Map<number, number>();
  return row(a.length, b.length);
}

const letters = (text: string): string => text.toLowerCase().replace(/[-_. ]/g, "");

function isNear(written: string, value: string): boolean {
  const text = written.toLowerCase();
  if (letters(text) === letters(value)) return true;
  if (text.length > 1 && (value.startsWith(text) || text.startsWith(value))) return true;
  return slips(text, value) <= (text.length < 2 ? 0 : text.length < 4 ? 1 : 2);
}

const NATIVE = builtIn("native");
if (NATIVE === undefined) throw new Error("there is no flavour native");
/** All flavours see the same of the newest versions. */
const EVERYTHING: Meant = {
  flavour: NATIVE,
  key: "file",
  isMultiVersion: false,
  conditions: [],
  timeSelect: "flexible",
  bboxSelect: "flexible",
};
const KNOWN = ODD.map(({ known }) => known);
const through = (some: readonly Condition[]): Known[] => found(KNOWN, EVERYTHING, some);

/** Fewest conditions that exclude everything. */
function fewest(all: readonly Condition[]): number {
  const sizes = Array.from({ length: 2 ** all.length }, (_, bits) => {
    const some = all.filter((_, index) => bits & (1 << index));
    return through(some).length === 0 ? some.length : Number.POSITIVE_INFINITY;
  });
  return Math.min(...sizes);
}

describe("the explanation of an empty result", () => {
  it("has correct numbers, for random searches", async () => {
    let [empty, large] = [0, 0];
    for (let turn = 0; turn < attempts(60, 3000); turn++) {
      const flavour = pick(["native", "cmip6"] as const);
      const given = conditions(1 + below(turn % 5 === 0 ? 12 : 6));
      const keyOf = (one: Condition): string => named(one, nameIn(flavour));
      const query = new URLSearchParams(
        given.flatMap((one) => one.values.map((value) => [keyOf(one), value])),
      );
      const said = `SEED=${SEED}, ${flavour} ${query}`;
      const answer = await why(`${flavour}/file?${query}`);
      expect(answer.total_count, said).toBe(through(given).length);
      const meant = { ...EVERYTHING, conditions: given };
      for (const one of given) {
        const told = answer.constraints.find(({ name }) => name === keyOf(one));
        expect(told?.count_without, `${said}: ${keyOf(one)}`).toBe(
          without(KNOWN, meant, one).length,
        );
        checkUnmatched(meant, one, told, said);
      }
      const names = answer.constraints.map(({ name }) => name);
      expect(names.sort(), said).toEqual(given.map(keyOf).sort());
      if (answer.total_count > 0) {
        expect(answer.excluding, said).toBeNull();
        continue;
      }
      const excluding = answer.excluding ?? ["none was told"];
      const members = excluding.map((key) => given.find((one) => keyOf(one) === key));
      expect(members, said).not.toContain(undefined);
      const sure = members as Condition[];
      expect(through(sure).length, said).toBe(0);
      for (const member of sure) {
        expect(through(sure.filter((one) => one !== member)).length, said).toBeGreaterThan(0);
      }
      if (given.length <= 8) expect(sure.length, said).toBe(fewest(given));
      else large += 1;
      empty += 1;
    }
    expect(empty).toBeGreaterThan(10);
    expect(large).toBeGreaterThan(0);
  });

  function checkUnmatched(
    meant: Meant,
    one: Condition,
    told: Why["constraints"][number] | undefined,
    said: string,
  ): void {
    const missing = told?.unmatched.map(({ value }) => value);
    expect(missing, said).toEqual(unmatched(KNOWN, meant, one));
    const counts = new Map<string, number>();
    let rest = without(KNOWN, meant, one);
    if (rest.length === 0) {
      // Those that match nothing by themselves would hide every near value.
      const living = meant.conditions.filter((other) => through([other]).length > 0);
      rest = through(living.filter((other) => other !== one));
    }
    const finds = (value: string): boolean =>
      rest.some((document) => has(document, { ...one, values: [value] }, meant));
    for (const { values } of rest) {
      for (const value of values.get(one.native) ?? []) {
        counts.set(value, (counts.get(value) ?? 0) + 1);
      }
    }
    for (const { value, near } of told?.unmatched ?? []) {
      for (const other of near) {
        expect(counts.get(other.value), `${said}: ${value}`).toBe(other.count);
      }
      if (/[*?]/.test(value) || finds(value)) expect(near, said).toEqual([]);
      else {
        const expected = [...counts.keys()].filter((other) => isNear(value, other));
        const names = near.map((other) => other.value);
        if (near.length < 5)
          expect(names, `${said}: ${value}`).toEqual(expect.arrayContaining(expected));
        const described = [...counts.keys()].filter((other) =>
          words(value).every((word) =>
            words(longName(one.native, other) ?? "").some((begun) => begun.startsWith(word)),
          ),
        );
        if (!/air_|precip/.test(value))
          expect([...expected, ...described], `${said}: ${value}`).toEqual(
            expect.arrayContaining(names),
          );
      }
    }
  }

  it("leads from a standard or long name to the variable, in the names of the flavour", async () => {
    for (const name of [
      "air_temperature",
      "Air_Temperature",
      "near-surface air temperature",
      "near-surface temperature",
      "temperatures near the surface",
    ]) {
      const { constraints } = await why(
        `cmip6/file?variable_id=${name}&source_id=CanESM5&mip_era=cmip6`,
      );
      const [variable] = constraints;
      expect(variable).toMatchObject({ name: "variable_id", values: [name] });
      const rest = through([{ native: "model", values: ["canesm5"], isExcluded: false }]);
      const tas = rest.filter(({ values }) => values.get("variable")?.includes("tas"));
      expect(variable?.unmatched[0]?.near).toContainEqual({ value: "tas", count: tas.length });
    }
  });

  it("omits values that a file has, whatever the others let through", async () => {
    const { total_count, constraints, excluding } = await why(
      "user/file?project=many&model=m&variable=air_temperature&retracted=true",
    );
    expect(total_count).toBe(0);
    // One constraint matches nothing, two others nothing together; their values exist.
    expect(
      constraints.map(({ name, unmatched }) => [name, unmatched.map((one) => one.value)]),
    ).toEqual([
      ["project", []],
      ["model", []],
      ["variable", ["air_temperature"]],
      ["retracted", []],
    ]);
    expect(excluding).toEqual(["variable"]);
  });

  it("has near values for each of several that no file has", async () => {
    const { constraints, excluding } = await why(
      "native/file?model=CanESM6&variable=tass&experiment=hystorical&format=nc",
    );
    expect(excluding).toHaveLength(1);
    const near = Object.fromEntries(
      constraints.map(({ name, unmatched }) => [name, unmatched.flatMap((one) => one.near)]),
    );
    const rest = through([{ native: "format", values: ["nc"], isExcluded: false }]);
    for (const [name, value] of [
      ["model", "canesm5"],
      ["variable", "tas"],
      ["experiment", "historical"],
    ] as const) {
      const count = rest.filter(({ values }) => values.get(name)?.includes(value)).length;
      expect(near[name], name).toContainEqual({ value, count });
    }
    expect(near.format).toEqual([]);
  });

  it("has near values of fields with thousands, exactly counted whatever their spellings", async () => {
    const near = async (query: string) =>
      (await why(`user/file?project=many&${query}`)).constraints.flatMap(
        ({ unmatched }) => unmatched[0]?.near ?? [],
      );
    expect(await near("ensemble=memberofitsown")).toEqual([
      { value: "member-of-its-own", count: 1 },
    ]);
    expect(await near("ensemble=member-of-its-omn")).toEqual([
      { value: "member-of-its-own", count: 1 },
    ]);
    expect(await near("ensemble=member")).toEqual([{ value: "member-of-its-own", count: 1 }]);
    const id = `hdl:21.14100/${(4711 * 7919).toString(16).padStart(12, "0")}`;
    const wrong = id.replace(/.$/, "x");
    expect(await near(`tracking_id=${wrong}`)).toContainEqual({ value: id, count: 1 });
    expect((await near("ensemble=r5000i1p1f2")).length).toBe(5);
    // A name with its version behind it.
    const { constraints } = await why(
      "native/file?dataset_id=CMIP6.CMIP.X.nothing.historical.r1i1p1f1.v20200101",
    );
    expect(constraints).toHaveLength(1);
  });

  it("reveals no names of users, nor of files", async () => {
    const answer = await why("user/file?user=jan&file=/odd/non");
    expect(answer.constraints.map(({ unmatched }) => unmatched)).toEqual([
      [],
      [{ value: "/odd/non", near: [] }],
    ]);
    expect(JSON.stringify(answer)).not.toContain("jane");
    const own = KNOWN.filter(({ values }) => values.get("user")?.includes("jane"));
    const all = await why("user/file?user=JANE");
    expect(all.total_count).toBe(own.filter(({ isNewest }) => isNewest).length);
  });

  it("blames no constraint if there are no data at all", async () => {
    const answer = await why("native/uri?variable=tas&multi-version=true&version=v1");
    expect(answer).toMatchObject({ total_count: 0, excluding: [] });
    expect(await why("native/file")).toEqual({
      total_count: through([]).length,
      constraints: [],
      excluding: null,
    });
  });

  it("accepts more constraints than have countable subsets, and flags, details and versions", async () => {
    const query = new URLSearchParams({
      project: "cmip6",
      product: "c*",
      institute: "x",
      model: "canesm5",
      variable: "tas",
      experiment: "historical",
      ensemble: "r1i1p1f1",
      fs_type: "posix",
      format: "nc",
      time: "1850 to 2300",
      bbox: "-180,180,-90,90",
      retracted_not_: "true",
      units_not_: "K",
      standard_name: "air_temperature",
      file: "/odd/*",
      version_not_: "v1",
      model_not_: "awi*",
      variable_not_: "zg",
      ensemble_not_: "r9*",
      grid_label: "gn",
      level_type: "2d",
      dataset_id: "*",
      license_not_: "x",
      realm_not_: "ocean",
      tracking_id: "hdl:*",
      "multi-version": "true",
    });
    const answer = await why(`native/file?${query}`);
    expect(answer.total_count).toBe(0);
    expect(answer.constraints).toHaveLength([...query].length - 1);
    const { excluding } = answer;
    expect(excluding?.length).toBeGreaterThan(0);
    const count = async (keys: readonly string[]) => {
      const some = [...query].filter(([key]) => keys.includes(key));
      const path = `/databrowser/metadata-search/native/file?multi-version=true&facets=project&`;
      const response = await service.get(path + new URLSearchParams(some));
      return ((await response.json()) as MetadataSearchResult).total_count;
    };
    expect(await count(excluding ?? [])).toBe(0);
    for (const key of excluding ?? []) {
      expect(await count((excluding ?? []).filter((one) => one !== key))).toBeGreaterThan(0);
    }
    // Nothing is worked out again, though such a question is too long for an address.
    const before = { ...service.solr.usage.breakdowns };
    expect(await why(`native/file?${query}`)).toEqual(answer);
    const { hits, misses } = service.solr.usage.breakdowns;
    expect(hits).toBeGreaterThan(before.hits);
    expect(misses).toBe(before.misses);
  });

  it("leads to the variable whose own name it is, not to those in the same file", async () => {
    const near = async (query: string) =>
      (await why(`user/file?${query}`)).constraints
        .find(({ name }) => name === "variable")
        ?.unmatched[0]?.near.map(({ value }) => value);
    const air = { standard_name: ["air_hotness"], long_name: ["Hotness of Air"] };
    const both = {
      variable: ["hot", "wet"],
      standard_name: ["air_hotness", "water_flux"],
      long_name: ["Hotness of Air", "Wetness"],
    };
    const put = (file: string, more: object) =>
      load(service.solr, [{ file: `/names/${file}`, user: "names", project: ["names"], ...more }]);
    await put("both.zarr", both);
    // Nothing tells which of them has which name.
    const path = "project=names&variable=water_flux";
    expect((await near(path))?.sort()).toEqual(["hot", "wet"]);
    await put("hot1.nc", { variable: ["hot"], ...air });
    await put("hot2.nc", { variable: ["hot"], ...air });
    expect(await near(path)).toEqual(["wet"]);
    expect(await near("project=names&variable=hotness_of_air")).not.toContain("wet");
    await put("wet.nc", { variable: ["WET"], standard_name: ["water_flux"] });
    expect(await near(path)).toEqual(["wet"]);
    expect(await near("project=names&variable=air_hotness")).toEqual(["hot"]);
    // The files of the search have both; others tell.
    expect(await near("file=/names/both.zarr&variable=Wetness")).toEqual(["wet"]);
  });

  it("is never stale", async () => {
    const path = "native/file?project=cmip6&model=brandnew";
    expect((await why(path)).total_count).toBe(0);
    expect((await why(path)).excluding).toEqual(["model"]);
    for (let i = 1; i <= 3; i++) {
      const file = `/late/d${i}/late_${i}.nc`;
      await load(service.solr, [{ file, project: ["CMIP6"], model: ["BrandNew"] }]);
      expect((await why(path)).total_count).toBe(i);
    }
    const other = await why("native/file?project=cmip6&model=brand_new");
    expect(other.constraints[1]?.unmatched).toEqual([
      { value: "brand_new", near: [{ value: "brandnew", count: 3 }] },
    ]);
    const first = await service.get(`${WHY}/${path}`);
    const headers = { "If-None-Match": first.headers.get("etag") ?? "" };
    expect((await service.get(`${WHY}/${path}`, { headers })).status).toBe(304);
  });
});

describe("a search that finds nothing", () => {
  const SEARCH =
    "cmip6/uri?variable_id=tös&variable_id=a%26b&experiment_id_not_=ssp*&time=1850+to+1900&time_select=strict" +
    "&bbox=-10%2C30%2C35%2C70&multi-version=true";
  const get = (operation: string, search: string, headers = {}) =>
    service.get(`/databrowser/${operation}/${search}`, { headers });

  it("links to the reasons, which are those of the same search", async () => {
    const counts = await get("metadata-search", `${SEARCH}&facets=variable_id`);
    const { total_count, links } = (await counts.json()) as MetadataSearchResult;
    expect(total_count).toBe(0);
    const address = links?.why ?? "";
    const list = await get("data-search", SEARCH);
    expect(await list.text()).toBe("");
    for (const { headers } of [counts, list]) {
      expect(headers.get("link")).toBe(`<${address}>; rel="help"`);
    }
    expect(address.startsWith(service.address)).toBe(true);
    const answer = (await (await fetch(address)).json()) as Why;
    expect(answer).toEqual(await why(SEARCH));
    expect(answer.constraints.map(({ name, values }) => [name, values])).toEqual([
      ["time", ["1850 to 1900"]],
      ["bbox", ["-10,30,35,70"]],
      ["variable_id", ["tös", "a&b"]],
      ["experiment_id_not_", ["ssp*"]],
    ]);
  });

  it("is confirmed while it is unchanged, and answered again when it finds something", async () => {
    const search = "native/file?variable=to-come&facets=variable";
    const first = await get("metadata-search", search);
    const tag = { "If-None-Match": first.headers.get("etag") ?? "" };
    const same = await get("metadata-search", search, tag);
    expect([same.status, same.headers.get("link"), await same.text()]).toEqual([304, null, ""]);
    await load(service.solr, [{ file: "/late/to-come.nc", variable: ["To-Come"] }]);
    const other = await get("metadata-search", search, tag);
    expect([other.status, other.headers.get("link")]).toEqual([200, null]);
    expect(await other.json()).not.toHaveProperty("links");
    const list = await get("data-search", search.replace("&facets=variable", ""));
    expect([await list.text(), list.headers.get("link")]).toEqual(["/late/to-come.nc\n", null]);
  });

  it("has no header that is too long for proxies, and the address always in the body", async () => {
    const values = Array.from({ length: 300 }, (_, i) => `variable=none${i}`).join("&");
    const counts = await get("metadata-search", `native/file?${values}`);
    expect(counts.headers.get("link")).toBeNull();
    const { links } = (await counts.json()) as MetadataSearchResult;
    expect(new URL(links?.why ?? "").searchParams.getAll("variable")).toHaveLength(300);
    expect((await get("data-search", `native/file?${values}`)).headers.get("link")).toBeNull();
  });

  it("names a flag that no file has", async () => {
    await fillIndex(service.solr, [{ file: "/one.nc", model: ["m"] }]);
    const flags = async (query: string) =>
      (await why(`native/file?model=m&${query}`)).constraints.flatMap(({ unmatched }) => unmatched);
    expect(await flags("retracted=TRUE")).toEqual([{ value: "TRUE", near: [] }]);
    expect(await flags("retracted_not_=true")).toEqual([]);
  });
});
