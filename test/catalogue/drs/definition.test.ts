/** Files that tell a data reference syntax: what they may say, and how it is told that they may not. */
import { readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { readDefinition } from "../../../src/catalogue/drs/definition.js";
import {
  InvalidStandard,
  loadStandard,
  Standard,
  shippedStandards,
  standardsIn,
} from "../../../src/catalogue/drs/index.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { expectBelow } from "../../support/run/bounds.js";
import { freshFolder } from "../../support/run/folders.js";

const GOOD = `
name: mine
facets: { project: mine }
folders: ["{model}/{experiment}[/{version}]"]
files: ["{variable}[_{time}]"]
`;

const reading = (text: string) => new Standard(readDefinition(text, "mine.yaml"));

describe("the standards of a folder", () => {
  let folder: string;
  const put = async (texts: Readonly<Record<string, string>>) => {
    for (const [name, before] of Object.entries(texts)) {
      const text = `${GOOD.replace("mine", name)}before: [${before}]\n`;
      await writeFile(join(folder, `${name}.yaml`), text);
    }
    return standardsIn(folder);
  };
  beforeEach(() => {
    folder = freshFolder();
  });

  it("tests headers in the order that the files of the package say", () => {
    expect([...shippedStandards().keys()]).toEqual([
      "cordex-cmip6",
      "obs4mips",
      "cmip6",
      "cmip7",
      "cmip5",
      "cordex",
      "nextgems",
      "freva",
    ]);
  });

  it("puts a file that is before none behind those that others depend on", async () => {
    const order = { late: "", wide: "late", narrow: "wide, late", a: "" };
    expect([...(await put(order)).keys()]).toEqual(["narrow", "wide", "a", "late"]);
  });

  it("refuses standards that are before each other, and a name without a file", async () => {
    await expect(put({ a: "b", b: "c", c: "a" })).rejects.toThrow(/c\.yaml: is before itself\.$/);
    await expect(put({ a: "b", b: "none" })).rejects.toThrow(/b\.yaml: before names no none\.$/);
  });
});

describe("a standard of one's own", () => {
  const folder = freshFolder();

  it("gives the facets of paths, with optional parts and rules of storage", async () => {
    const path = join(folder, "mine.yaml");
    await writeFile(path, `${GOOD}storage: [{ path: "/tape/*", fs_type: hsm }]\n`);
    const standard = await loadStandard(path);
    expect(standard.read("/x/m-1/e.2/v3/tas_2001-2002.nc")).toMatchObject({
      facets: { model: "m-1", experiment: "e.2", variable: "tas" },
      version: "v3",
      time: "[2001-01-01T00:00:00Z TO 2002-12-31T23:59:59Z]",
    });
    expect(standard.read("/x/m/e/tas.nc")).toMatchObject({ facets: { model: "m" } });
    expect(standard.storage("/tape/m/e/tas.nc")).toBe("hsm");
    expect(standard.storage("/disk/m/e/tas.nc")).toBeUndefined();
  });

  it("ignores any folder at {_}, also one of years, and takes years for no other value", () => {
    const yearly = reading(GOOD.replace('"{model}/', '"{_}/{model}/').replace("]", "]/{_}"));
    expect(yearly.read("/1990-1999/LARSIM/ctl/v3/2000-2009/dis.nc")).toMatchObject({
      facets: { model: "LARSIM", experiment: "ctl", variable: "dis" },
      version: "v3",
      time: undefined,
    });
    expect(yearly.read("/x/LARSIM/1990-1999/2000/dis.nc")).toHaveProperty("reason");
  });

  it("reads ISO 8601 dates in file names, such as those of GRIB files", () => {
    const era = reading(`
name: era5
folders: ["{level_type}/{product}/{_}/{grid_id}"]
files: ["E5{_}_{_}_{time}_{grid_id}"]
`);
    expect(era.read("/E5/sf/an/1H/167/E5sf00_1H_2020-02-29_167.grb")).toMatchObject({
      facets: { level_type: "sf", product: "an", grid_id: "167" },
      time: "[2020-02-29T00:00:00Z TO 2020-02-29T23:59:59Z]",
    });
  });

  it("may be the example of docs/drs.md", () => {
    const text = readFileSync(packagePath("docs", "drs.md"), "utf8");
    const [, example = ""] = /^```yaml\n(.*?)^```$/ms.exec(text) ?? [];
    const standard = reading(example);
    const path = "/a/MPI-M/ESM/hist/r1i1p1/mon/tas/v2/tas_x_ESM_hist_r1i1p1_1850-1851.nc";
    expect(standard.read(path)).toMatchObject({
      facets: { institute: "MPI-M", model: "ESM", time_frequency: "mon", variable: "tas" },
      version: "v2",
      notes: [],
    });
    expect(standard.read("/a/old/ESM/ctl3/tas/tas_x_ESM_ctl3_r1i1p1.nc")).toMatchObject({
      facets: { institute: "MPI-M", experiment: "ctl3", ensemble: "r1i1p1" },
    });
    expect(standard.storage("/tape/x.nc")).toBe("hsm");
  });

  it("is refused if it cannot be read, and unknown names are refused with a list of the known ones", async () => {
    await expect(loadStandard(join(folder, "none.yaml"))).rejects.toThrow(/does not exist/);
    await expect(loadStandard(folder)).rejects.toThrow(InvalidStandard);
    await expect(loadStandard("cmip8")).rejects.toThrow(
      /^cmip8 is no standard: there are cordex-cmip6, obs4mips, cmip6, cmip7, cmip5, cordex, nextgems, freva,/,
    );
    for (const name of ["__proto__", "constructor", "toString"]) {
      await expect(loadStandard(name)).rejects.toThrow(InvalidStandard);
    }
    await writeFile(join(folder, "large.yaml"), " ".repeat(70_000));
    await expect(loadStandard(join(folder, "large.yaml"))).rejects.toThrow(/more than 64 kB/);
  });

  it.each([
    ["nothing", "", /^mine\.yaml: is empty\.$/],
    ["a list", "[1]", /must be a table/],
    ["no YAML", "a: [", /^mine\.yaml: is not YAML: /],
    ["no name", GOOD.replace("name: mine", ""), /^mine\.yaml: name must be a text/],
    ["an unknown section", `${GOOD}folder: x`, /"folder" is no section here; did you mean folders/],
    ["no folders", GOOD.replace(/folders:.*/, ""), /folders must name a template/],
    ["no files", GOOD.replace(/files:.*/, ""), /files must name a template/],
    [
      "a facet that is none",
      GOOD.replace("{model}", "{modle}"),
      /^mine\.yaml: folders\[0\] names "modle", which is no facet; did you mean model/,
    ],
    ["the facet of users", GOOD.replace("{model}", "{user}"), /names "user", which is no facet/],
    ["a facet twice", GOOD.replace("{experiment}", "{model}"), /folders\[0\] has \{model\} twice/],
    ["a brace too many", GOOD.replace("{model}", "{model}}"), /has a \} without the other/],
    ["a bracket too few", GOOD.replace("}[/", "}/"), /has a \] too many/],
    ["a bracket too many", GOOD.replace("}]", "}"), /has a \[ without its \]/],
    [
      "a form without a name",
      GOOD.replace('"{variable}[_{time}]"', '"[{variable}]"'),
      /without a name/,
    ],
    [
      "a folder in a name",
      GOOD.replace('"{variable}', '"{model}/{variable}'),
      /which has no \/ in it/,
    ],
    ["too many optional parts", GOOD.replace("[_{time}]", "[a]".repeat(7)), /too many optional/],
    ["parts without end", GOOD.replace("[_{time}]", "[".repeat(900)), /has a \[ without its \]/],
    ["a template without end", GOOD.replace("_{time}", "x".repeat(1001)), /more than 1000 char/],
    [
      "a constant that is none",
      `${GOOD}patterns: { model: [a] }`,
      /patterns\.model must be a text/,
    ],
    ["a pattern of nothing known", `${GOOD}patterns: { modle: a }`, /names "modle"/],
    ["an attribute for nothing known", `${GOOD}attributes: { modle: source_id }`, /names "modle"/],
    [
      "several of what is one",
      `${GOOD}attributes: { license: "{a[*]}" }`,
      /license has \[\*\], but/,
    ],
    ["a list beside text", `${GOOD}attributes: { realm: "x{a[*]}" }`, /which must stand alone/],
    [
      "a word that is none",
      `${GOOD}attributes: { realm: "{a[0]}" }`,
      /has \{a\[0\]\}, which is no/,
    ],
    ["a default of no facet", `${GOOD}defaults: { model: "{source_id}" }`, /names "source_id"/],
    ["a rule without a path", `${GOOD}storage: [{ fs_type: hsm }]`, /storage\[0\]\.path must be/],
    [
      "what it derives from",
      `${GOOD}derived: { model: { values: {} } }`,
      /derived\.model\.from must/,
    ],
    ["an alias", `${GOOD}patterns: &a { model: x }\nhints: *a`, /Alias/],
    ["what is nested without end", `a: ${"[".repeat(60_000)}`, /is (nested too deeply|not YAML)/],
    [
      "a billion laughs",
      `a: &a [x]\n${Array.from({ length: 40 }, (_, i) => `b${i}: &b${i} [*${i ? `b${i - 1}` : "a"}, *a]`).join("\n")}`,
      /Alias/,
    ],
    ["a key twice", `${GOOD}name: again`, /unique/],
    ["the prototype", `${GOOD}__proto__: { x: 1 }`, /"__proto__" is no section/],
    ["a facet of the prototype", `${GOOD}facets2: 1\n`, /is no section/],
    [
      "the prototype's names",
      GOOD.replace("{model}", "{constructor}"),
      /"constructor", which is no/,
    ],
  ])("is refused with the position and the reason for %s", (_, text, reason) => {
    const begin = performance.now();
    expect(() => reading(text)).toThrow(InvalidStandard);
    expect(() => reading(text)).toThrow(reason);
    expectBelow(performance.now() - begin, 8000);
  });

  it("may have patterns and names that would make a regular expression run for ever", () => {
    const standard = reading(
      GOOD.replace("[_{time}]", "") +
        `patterns: { variable: "${"*a".repeat(200)}b|${"#".repeat(50)}" }`,
    );
    const begin = performance.now();
    for (const name of ["a".repeat(1000), `${"1".repeat(1000)}x`, "*a".repeat(500)]) {
      expect(standard.read(`/m/e/${name}.nc`)).toHaveProperty("reason");
    }
    expectBelow(performance.now() - begin, 3000);
  });
});

describe("the standards of the package", () => {
  it("are complete, each under its name", () => {
    const names = readdirSync(packagePath("drs")).map((name) => name.replace(/\.yaml$/, ""));
    expect([...shippedStandards().keys()].sort()).toEqual(names.sort());
    for (const [name, standard] of shippedStandards()) expect(standard.name).toBe(name);
  });
});
