/** What metadata-crawler wrote of the sample's files (metadata-crawler/README.md), loaded by `index` as it is. */
import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { packagePath } from "../../../src/platform/package-root.js";
import { runHere, testSolrSettings } from "../../cli/command.js";
import { emptyIndex } from "../../support/service/service.js";
import { useService } from "../../support/service/use-service.js";

type Written = Readonly<Record<string, unknown>> & { readonly file: string };

/** Of the two files that it writes: those of the newest versions, and those of all. */
const path = (name: string): string =>
  packagePath("test", "index", "loading", "metadata-crawler", `metadata-${name}.json.gz`);

async function written(name: string): Promise<Written[]> {
  const text = gunzipSync(await readFile(path(name))).toString("utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Written);
}

const service = useService();

async function found(query: Readonly<Record<string, string>>, more = ""): Promise<string[]> {
  const search = new URLSearchParams({ "multi-version": "true", ...query });
  const response = await service.get(`/databrowser/data-search/native/file?${search}${more}`);
  expect(response.status).toBe(200);
  return (await response.text()).split("\n").slice(0, -1).sort();
}

describe.each([
  ["both of its files", ["files", "latest"]],
  ["its newest versions first", ["latest", "files"]],
  ["all versions alone", ["files"]],
])("metadata-crawler's JSON Lines: %s", (_, names) => {
  let documents: Written[];
  beforeAll(async () => {
    await emptyIndex(service.solr);
    documents = await written("files");
    const { status, stderr } = await runHere(["index", ...names.map(path)], {
      settings: testSolrSettings(),
    });
    expect(stderr).not.toContain("refused");
    expect(status).toBe(0);
  });

  it("contain each document once, with the older version behind the newer one", async () => {
    const files = (all: readonly Written[]): string[] => all.map(({ file }) => file).sort();
    expect(documents).toHaveLength(26);
    expect(await found({})).toEqual(files(documents));
    expect(await found({ "multi-version": "false" })).toEqual(files(await written("latest")));
  });

  it("make each document found by its facets, without values for unknown ones", async () => {
    const facets = Object.keys(documents[0] as Written).filter(
      (name) => !["file", "time", "bbox", "user", "version", "data_type"].includes(name),
    );
    expect(facets).toHaveLength(21);
    for (const facet of facets) {
      const values = new Set(documents.flatMap((document) => document[facet] ?? []));
      for (const value of values) {
        const have = documents.filter((document) => [document[facet]].flat().includes(value));
        const expected = have.map(({ file }) => file).sort();
        expect(await found({ [facet]: String(value) }), `${facet}=${value}`).toEqual(expected);
      }
      expect(await found({ [facet]: "null" }), facet).toEqual([]);
    }
    const versions = new Set(documents.map(({ version }) => version));
    for (const version of versions) {
      const expected = version === "-1" ? [] : documents.filter((one) => one.version === version);
      const files = expected.map(({ file }) => file).sort();
      // A minus at the begin of a value would exclude it.
      const value = String(version).replace("-", "?");
      expect(await found({ version: value }), value).toEqual(files);
    }
  });

  it("make documents found by time: from the first to the last day, constant data always, data without a time never", async () => {
    const tas = { model: "MPI-ESM1-2-LR", variable: "tas", experiment: "historical" };
    const slices = async (time: string): Promise<number> =>
      (await found({ ...tas, time, time_select: "flexible" })).length;
    expect(await slices("1984-12-31")).toBe(0);
    expect(await slices("1985-01-01")).toBe(1);
    expect(await slices("1989-12-31")).toBe(1);
    expect(await slices("1989-12-31 to 1990-01-01")).toBe(2);
    expect(await slices("2000")).toBe(0);
    expect(await found({ ...tas, time: "1985 to 1989", time_select: "strict" })).toHaveLength(1);
    const constant = documents.filter(({ variable }) => /orog|sftlf/.test(String(variable)));
    expect(constant).toHaveLength(2);
    const files = constant.map(({ file }) => file).sort();
    expect(await found({ time: "fx" })).toEqual(files);
    expect(await found({ time: "0500" })).toEqual(files);
    // Its period was not found, as its name has the time at another place.
    expect(await found({ project: "nextGEMS" })).toHaveLength(1);
    expect(await found({ project: "nextGEMS", time: "2020" })).toEqual([]);
  });

  it("make documents found by region", async () => {
    const regional = documents.filter(({ project }) => String(project) === "cordex");
    const files = regional.map(({ file }) => file).sort();
    const at = (bbox: string, select = "flexible"): Promise<string[]> =>
      found({ project: "cordex", bbox, bbox_select: select });
    expect(await at("10,11,50,51", "file")).toEqual(files);
    expect(await at("-44.2,64.5,22.1,72.5", "strict")).toEqual(files);
    expect(await at("-44,64.5,22.1,72.5", "strict")).toEqual([]);
    expect(await at("100,110,50,51")).toEqual([]);
    for (const west of [-170, -10, 170, 350]) {
      const bbox = `${west},${west + 1},-80,-79`;
      expect((await found({ bbox, bbox_select: "file" })).length, bbox).toBe(26 - files.length);
    }
  });
});

describe("a document with dates and numbers", () => {
  beforeAll(() => emptyIndex(service.solr));

  it("is refused with the reason if they cannot be translated, and open ends stay open", async () => {
    const documents = [
      { file: "/wrong-box", bbox: [0, 10, -95, 90] },
      { file: "/upside-down", bbox: [0, 10, 50, 40] },
      { file: "/three", bbox: [0, 10, 50] },
      { file: "/wrong-time", time: ["2001-13-01T00:00:00", "2001-13-31T23:59:00"] },
      { file: "/three-times", time: ["2001-01-01T00:00:00", "2002", "2003"] },
      { file: "/since", time: ["2001-01-01T00:00:00", "9999-12-31T23:59:00"] },
      { file: "/until", time: ["0001-01-01T00:00:00", "2001-01-01T00:00:00.500000"] },
      { file: "/across", bbox: [170.5, -170.5, -10, 10], version: "-1" },
    ];
    const input = documents.map((document) => `${JSON.stringify(document)}\n`).join("");
    const { status, stderr } = await runHere(["index", "-"], {
      settings: testSolrSettings(),
      input,
    });
    expect(status).toBe(1);
    const refused = stderr.split("\n").filter((line) => line.includes("refused: "));
    expect(refused).toHaveLength(5);
    expect(refused[0]).toMatch(/bbox: .*latitude/);
    expect(refused[1]).toMatch(/bbox: .*north/);
    expect(refused[2]).toContain("bbox: must be");
    expect(stderr).toMatch(/:4: refused: .*2001-13/);
    expect(stderr).toMatch(/:5: refused: .*time/);
    expect(await found({})).toEqual(["/across", "/since", "/until"]);
    expect(await found({ time: "2200" })).toEqual(["/since"]);
    expect(await found({ time: "1000" })).toEqual(["/until"]);
    expect(await found({ bbox: "179,-179,0,1", bbox_select: "file" })).toEqual(["/across"]);
  });

  it("is loaded from the Solr that it was posted to, without placeholders for unknown times", async () => {
    await emptyIndex(service.solr);
    const unknown = "[0001-01-01T00:00:00 TO 9999-12-31T23:59:00]";
    const documents = [
      { file: "/none", time: unknown, bbox: ["ENVELOPE(0, 10, 50, 40)"], _version_: 1 },
      { file: "/constant", time: unknown, time_frequency: ["fx"] },
      { file: "/since", time: "[2001-01-01T00:00:00 TO 9999-12-31T23:59:00]" },
      { file: "/known", time: "[1000-01-01T00:00:00 TO 1000-12-31T23:59:00]" },
    ];
    const input = JSON.stringify(documents);
    const { stderr } = await runHere(["index", "-"], { settings: testSolrSettings(), input });
    expect(stderr).not.toContain("refused");
    expect(await found({ bbox: "1,2,41,42" })).toEqual(["/none"]);
    expect(await found({ time: "fx" })).toEqual(["/constant"]);
    expect(await found({ time: "1000-06" })).toEqual(["/constant", "/known"]);
    expect(await found({ time: "2200" })).toEqual(["/constant", "/since"]);
  });
});
