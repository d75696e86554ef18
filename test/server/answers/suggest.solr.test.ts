/** What a typed text may mean: every suggestion and every count by the same arithmetic over the same documents. */
import { describe, expect, it } from "vitest";
import type { components } from "../../../generated/openapi.js";
import { PATIENCE, useRandomScene } from "./expected/random-scene.js";
import { compareTexts } from "./expected/suggested.js";

type Suggestions = components["schemas"]["Suggestions"];

const scene = useRandomScene();

const everything = { pairs: [] };
const ask = (text: string, more: readonly (readonly [string, string])[] = []) =>
  scene.askJson<Suggestions>("suggest", everything, "cmip6", [
    ...(text === "" ? [] : [["text", text] as const]),
    ...more,
  ]);
const bestOf = async (text: string): Promise<string[]> =>
  (await ask(text)).best.filters.map(({ name, value }) => `${name}=${value}`);

describe("suggestions", () => {
  it("are those of a filter in memory, with its counts", { timeout: PATIENCE }, async () => {
    const understood = await compareTexts(scene, 3, 50);
    expect(understood).toBeGreaterThan(10);
  });

  it("read values, periods and regions in one text", async () => {
    expect(await bestOf("tas historical MPI 1990-2000")).toEqual([
      "variable_id=tas",
      "experiment_id=historical",
      "institution_id=mpi-m",
      "time=1990 to 2000",
    ]);
    expect(await bestOf("1985/.. tas")).toEqual(["time=1985/..", "variable_id=tas"]);
    expect(await bestOf("since 1985, monthly")).toEqual(["time=1985 to", "frequency=mon"]);
    const { parts } = await ask("North Atlantic Europe");
    expect(parts.map(({ text, suggestions: [one] }) => [text, one?.kind, one?.label])).toEqual([
      ["north atlantic", "region", "N. Atlantic Ocean (NAO)"],
      ["Europe", "region", "Europe"],
    ]);
  });

  it("accept long names, words and near spellings, and name what is not understood", async () => {
    const first = async (text: string) => {
      const [part] = (await ask(text)).parts;
      const [one] = part?.suggestions ?? [];
      return [part?.text, one?.name, one?.value, one?.similarity];
    };
    expect(await first("near-surface air temperature")).toEqual([
      "near-surface air temperature",
      "variable_id",
      "tas",
      "exact",
    ]);
    for (const text of ["near-surface temperature", "temperatures of air near the surface"]) {
      expect(await first(text)).toEqual([text, "variable_id", "tas", "words"]);
    }
    expect(await first("Surface-near")).toEqual(["Surface-near", "variable_id", "tas", "words"]);
    // A word that is a value by itself stays apart.
    expect((await ask("historical temperature")).parts.map(({ text }) => text)).toEqual([
      "historical",
      "temperature",
    ]);
    expect(await first("585")).toEqual(["585", "experiment_id", "ssp585", "word"]);
    expect(await first("hystorical")).toEqual([
      "hystorical",
      "experiment_id",
      "historical",
      "near",
    ]);
    expect(await first("source_id=ukesm")).toEqual([
      "source_id=ukesm",
      "source_id",
      "ukesm1-0-ll",
      "prefix",
    ]);
    // With two slips a short word is another one, and nobody wants the Bay of Bengal (BOB) for it.
    expect((await ask("blub precipitaton")).not_understood).toEqual(["blub"]);
    expect(await first("precipitaton")).toEqual(["precipitaton", "variable_id", "pr", "near"]);
    const odd = await ask("tas qqqqqq in xyzxyz");
    expect(odd.not_understood).toEqual(["qqqqqq", "xyzxyz"]);
    expect(odd.best.filters).toEqual([{ name: "variable_id", value: "tas" }]);
  });

  it("find values by a misspelt word of their names", async () => {
    const { parts } = await ask("temprature");
    const found = parts.flatMap(({ suggestions }) =>
      suggestions.map(({ value, similarity }) => `${value} ${similarity}`),
    );
    expect(found).toContain("tas near");
  });

  it.each(["not historical", "without the historical", "-historical", "!historical"])(
    "exclude what the text excludes: %s",
    async (text) => {
      const all = await ask("tas");
      const only = await ask("tas historical");
      const answer = await ask(`tas ${text}`);
      expect(answer.best.filters).toEqual([
        { name: "variable_id", value: "tas" },
        { name: "experiment_id_not_", value: "historical" },
      ]);
      expect(answer.best.count).toBe(all.best.count - only.best.count);
      expect(answer.parts.map((part) => part.text)).toEqual(["tas", text]);
    },
  );

  it("exclude nothing after a dash between words", async () => {
    expect(await bestOf("tas -- pr - historical")).toEqual([
      "variable_id=tas",
      "variable_id=pr",
      "experiment_id=historical",
    ]);
  });

  it("exclude periods and regions, too", async () => {
    expect(await bestOf("not in the Europe, tas, without 1990 to 1995")).toEqual([
      "bbox_not_=-25,45,34,72",
      "variable_id=tas",
      "time_not_=1990 to 1995",
    ]);
  });

  it.each([
    ["199001-199912", "1990-01 to 1999-12"],
    ["19900101-19991231", "1990-01-01 to 1999-12-31"],
    ["199001010600-199912311800", "1990-01-01T06:00 to 1999-12-31T18:00"],
    ["1990-01-01T06", "1990-01-01T06"],
    ["January 1990 to mar 1992", "1990-01 to 1992-03"],
    ["1990 -2000", "1990 to 2000"],
  ])("read a period as names of files and people write it: %s", async (text, time) => {
    expect(await bestOf(text)).toEqual([`time=${time}`]);
  });

  it("read the name of a file as the words in it", async () => {
    const name = "/pool/tas_Amon_MPI-ESM1-2-LR_historical_r1i1p1f1_gn_199001-199912.nc";
    const { parts } = await ask(name);
    expect(parts.map(({ text }) => text)).toEqual([
      "tas",
      "Amon",
      "MPI-ESM1-2-LR",
      "historical",
      "r1i1p1f1",
      "gn",
      "199001-199912",
    ]);
  });

  it("find datasets besides those that the search names or excludes", async () => {
    const datasets = async (text: string, more: readonly (readonly [string, string])[] = []) =>
      (await ask(text, more)).parts
        .flatMap(({ suggestions }) => suggestions)
        .filter(({ kind }) => kind === "dataset")
        .map(({ value, count }) => ({ value, count }));
    const ids = new Set(scene.documents.map(({ datasetId = "" }) => datasetId));
    const plain = [...ids].filter((id) => /^[\w.-]+\.[\w.-]+$/.test(id)).sort();
    let compared = 0;
    for (const [at, text] of plain.slice(0, 20).entries()) {
      const alone = await datasets(text);
      const other = plain[at + 1] ?? plain[0] ?? "";
      expect(await datasets(text, [["dataset_id", other]]), text).toEqual(alone);
      expect(await datasets(text, [["dataset_id_not_", text]]), text).toEqual(alone);
      compared += alone.length;
    }
    expect(compared).toBeGreaterThan(1);
  });

  it("stay bounded and literal, whatever is typed", async () => {
    const odd = [
      ..."*?\\\"'(){}[]^~!&|:/<>#%+;".split(""),
      "${solr.home}",
      "a.b:*) OR (*:*",
      "CMIP6.*",
      "\u0000\u0007\u202e",
      "\ud83c\udf0d 氷",
      "a ".repeat(100),
      "x".repeat(200),
      "1990-".repeat(40),
      "0000-9999 9999-0000 1990-13 2000-02-30",
      '"'.repeat(200),
      "r1i1p1f1 ".repeat(22),
    ];
    for (const text of odd) {
      const answer = await ask(text.slice(0, 200));
      const read = answer.parts.filter(({ suggestions }) => suggestions.length > 0);
      expect([text, read.length <= 8]).toEqual([text, true]);
    }
    const status = async (query: string) =>
      (await scene.get(`/databrowser/suggest/cmip6?${query}`)).status;
    expect(await status(`text=${"x".repeat(201)}`)).toBe(422);
    expect(await status("text=x&limit=2001")).toBe(422);
    expect(await status("text=x&nothing=1")).toBe(422);
  });

  it("reveal no names of users to callers without a token", async () => {
    const get = (query: string) => scene.get(`/databrowser/suggest/user?${query}`);
    expect((await get("text=jane&facets=user")).status).toBe(401);
    expect((await get("begins=true&facets=user")).status).toBe(401);
    expect((await get("text=tas&user=j*")).status).toBe(401);
    expect(await (await get("text=jane ada")).text()).not.toMatch(/"value":"(?:jane|ada)"/);
  });

  it("complete the beginning of values, blanks included", async () => {
    const values = async (text: string, facet: string) =>
      (
        await ask(text, [
          ["begins", "true"],
          ["facets", facet],
          ["limit", "2000"],
        ])
      ).parts
        .flatMap(({ suggestions }) => suggestions)
        .map(({ value }) => value)
        .sort();
    expect(await values("", "experiment_id")).toEqual(["historical", "ssp585", "star*"]);
    expect(await values("M:4 (", "source_id")).toEqual(["m:4 (a or b)"]);
    expect(await values("mpi esm", "source_id")).toEqual([]);
  });
});
