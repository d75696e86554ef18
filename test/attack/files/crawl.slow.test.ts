/** What a user who may write below crawled folders can do to a crawl, and to what it says. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { describe as describeHeader } from "../../../src/files/cf/describe.js";
import { coordinateValues } from "../../../src/files/zarr/coordinate-values.js";
import { Datasets } from "../../../src/files/zarr/dataset/datasets.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { type Ended, run, testSolrSettings } from "../../cli/command.js";
import { pythonOf, runPython } from "../../support/programs/python.js";
import { expectBelow } from "../../support/run/bounds.js";
import { freshFolder } from "../../support/run/folders.js";
import { attempts } from "../../support/run/trials.js";
import { emptyIndex } from "../../support/service/service.js";
import { useService } from "../../support/service/use-service.js";

/** Any path; headers tell the rest. */
const FREE = `
name: free
folders: ["{_}"]
files: ["{_}"]
attributes:
  model: source_id
  experiment: experiment_id
  time_frequency: frequency
  license: license
`;
/** What changes how all that follows looks, or begins another line for somebody. */
const UNSEEN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

const service = useService();
const folder = freshFolder();
let standard: string;
beforeAll(async () => {
  pythonOf();
  await emptyIndex(service.solr);
  standard = join(folder, "free.yaml");
  await writeFile(standard, FREE);
}, 300_000);

const crawl = (...more: string[]): Promise<Ended> =>
  run(["crawl", "--drs", standard, "--min-age", "0", ...more], { settings: testSolrSettings() });

type Document = Readonly<Record<string, unknown>> & { readonly file: string };

async function documents(): Promise<Document[]> {
  const query = new URLSearchParams({ q: "*:*", rows: "1000", fl: "*,time:time_raw" });
  const { text } = await service.solr.http.send({ path: `files/select?${query}` });
  return JSON.parse(text).response.docs as Document[];
}

describe("a malicious header", () => {
  let headers: string;
  beforeAll(async () => {
    headers = join(folder, "headers");
    const script = packagePath("test", "attack", "files", "make_odd_headers.py");
    await runPython([script, headers, String(attempts(3000, 20_000))]);
  });

  it("becomes one document with one line for each value, claims nothing and hides no other", async () => {
    const ended = await crawl("--report", join(folder, "report"), headers);
    expect(ended.status, ended.stderr).toBe(0);
    const found = await documents();
    const names = ["controls", "lines", "expression", "query", "json", "long", "script", "empty"];
    const files = [...names, "claims", "long_axis"].map((name) => `${name}.nc`);
    expect(found.map(({ file }) => file).sort()).toEqual(
      [...files, "many.h5", "variables.h5"].map((name) => join(headers, name)).sort(),
    );
    const by = (name: string) => found.find(({ file }) => file === join(headers, name));
    for (const document of found) {
      for (const [field, value] of Object.entries(document)) {
        for (const text of [value].flat().map(String)) {
          expect(text, `${document.file} ${field}`).not.toMatch(UNSEEN);
          expect(text.length, `${document.file} ${field}`).toBeLessThan(4100);
        }
      }
      expect(document.user).toBeUndefined();
      expect(document.owner).toBeUndefined();
      expect(document.retracted).toBeUndefined();
      expect(document.dataset).toBeUndefined();
      expect(document.checksum).toBeUndefined();
      expect(document.fs_type).toBe("posix");
    }
    expect(by("json.nc")?.model).toEqual(['"},{"file":"/forged.nc","user":"admin"},{"x":"']);
    expect(by("query.nc")?.model).toEqual(['*") OR user:* OR ("']);
    expect(by("expression.nc")?.license).toBe(
      "${jndi:ldap://127.0.0.1/a}{!func}1 OR *:* `id` $(id)",
    );
    expect(by("long.nc")?.model).toBeUndefined();
    expect(by("claims.nc")).toMatchObject({
      model: ["CLAIM-1"],
      time_start: "2000-01-01T00:00:00Z",
    });
    // Names with controls are none to the reader either.
    expect(by("variables.h5")?.variable).toEqual(["$" + "{id}", "*"]);
    // Of an axis of a hundred million values its ends are read.
    expect(by("long_axis.nc")?.time).toBe("[2000-01-01T00:00:00Z TO 2003-03-03T09:46:39Z]");
    const said = (await readFile(join(folder, "report"), "utf8")).trim().split("\n");
    for (const line of said) {
      expect(line).not.toMatch(UNSEEN);
      expect(line.startsWith(`${headers}/`), line).toBe(true);
      expect(line.length).toBeLessThan(2000);
    }
    expect(said.join("\n")).toMatch(/long\.nc: note: source_id: .* 10000000 characters/);
    expect(said.join("\n")).toMatch(/variables\.h5: note: variable: of 4 names 2 are kept/);
  });

  it("is given up if it has more times than can be read, however small the file is", async () => {
    const datasets = new Datasets({ time: 20_000 });
    try {
      const dataset = await datasets.open(join(headers, "..", "times", "times.nc"));
      const begin = performance.now();
      const reading = describeHeader(
        await dataset.header(),
        coordinateValues(datasets, dataset, 300),
      );
      await expect(reading).rejects.toThrow(/more coordinate values than can be read in time/);
      expectBelow(performance.now() - begin, 20_000);
    } finally {
      await datasets.close();
    }
  });
});

describe("malicious folders", () => {
  it("are walked in bounded time, however many names they have and however deep they are", async () => {
    const top = join(folder, "wide");
    await mkdir(join(top, "names"), { recursive: true });
    // Names of no data, of data that are none, and folders in each other beyond what a path can be.
    const make = `
import os, sys
top, count, deep = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
for i in range(count):
    os.mknod(f"{top}/names/{i}.txt")
for i in range(50):
    os.mknod(f"{top}/names/{i}.nc")
for name, marker in (("deep", None), ("store.zarr", ".zgroup")):
    os.mkdir(f"{top}/{name}")
    os.chdir(f"{top}/{name}")
    if marker:
        with open(marker, "w") as file:
            file.write('{"zarr_format":2}')
    for i in range(deep):
        os.mkdir("d")
        os.chdir("d")
`;
    await runPython([
      "-c",
      make,
      top,
      String(attempts(20_000, 100_000)),
      String(attempts(2500, 5000)),
    ]);
    const ended = await crawl("--dry-run", top);
    expect(ended.status, ended.stderr).toBe(1);
    expectBelow(ended.milliseconds, 60_000);
    const refused = ended.stderr.split("\n").filter((line) => line.includes(": refused: "));
    expect(refused.filter((line) => line.includes("/names/")).length).toBe(50);
    expect(refused.filter((line) => line.includes("/deep/")).join("\n")).toMatch(
      /^\S+: refused: .*\(ENAMETOOLONG\)$/,
    );
    expect(refused.filter((line) => line.includes("/store.zarr")).length).toBe(1);
  });
});
