/** `index`, on the test run's Solr. */
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, it } from "vitest";
import { packagePath } from "../../../src/platform/package-root.js";
import { freshFolder } from "../../support/run/folders.js";
import { attempts, patience } from "../../support/run/trials.js";
import {
  emptyIndex,
  selectPath,
  type TestDocument,
  testClient,
} from "../../support/service/service.js";
import { type Ended, oneLine, type RunOptions, runHere, testSolrSettings } from "../command.js";

const solr = testClient();
const folder = freshFolder();

beforeEach(() => emptyIndex(solr));

/** Writes a file into the test's folder; gives its path. */
async function put(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

const lines = (documents: readonly unknown[]): string =>
  documents.map((document) => `${JSON.stringify(document)}\n`).join("");

function index(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  return runHere(["index", ...args], { settings: testSolrSettings(), ...options });
}

/** Loads documents that must all be accepted. */
async function accept(documents: readonly TestDocument[]): Promise<void> {
  const { status, stderr } = await index([await put("accepted.jsonl", lines(documents))]);
  expect(stderr).not.toMatch(/refused/);
  expect(status).toBe(0);
}

/** All documents of a collection, by their file, without what changes with each writing. */
async function contents(collection: string, fields = "*"): Promise<Record<string, unknown>[]> {
  const path = `${selectPath(collection)}q=*:*&rows=1000000&sort=file%20asc&fl=${fields}`;
  const { text } = await solr.http.send({ path });
  const { response } = JSON.parse(text) as { response: { docs: Record<string, unknown>[] } };
  return response.docs.map(({ _version_, updated, ...document }) => document);
}

async function filesIn(collection: string): Promise<unknown[]> {
  return (await contents(collection, "file")).map(({ file }) => file);
}

const both = async () => ({ files: await contents("files"), latest: await contents("latest") });

/** The lines about refusals, with the name of the file cut short. */
const refusals = (stderr: string): string[] =>
  stderr
    .split("\n")
    .filter((line) => line.includes(": refused: "))
    .map((line) => line.replaceAll(`${folder}/`, ""));

describe("a catalogue", () => {
  const DOCUMENTS = [
    { file: "/data/ä 日本 😀.nc", project: ["CMIP6"], time: "[1985-01 TO 1985-12]" },
    { file: '/data/"quotes" \\ {[,]}.nc', bbox: "ENVELOPE(-180,180,90,-90)" },
    { file: "/data/c.nc", uri: "slk:///c.nc", variable: ["tas", "pr"] },
  ];
  const jsonLines = lines(DOCUMENTS);
  const FORMS: [string, string, string | Uint8Array][] = [
    ["JSON Lines", "a.jsonl", jsonLines],
    ["JSON Lines without an end of the last line", "b.jsonl", jsonLines.trimEnd()],
    [
      "JSON Lines with CRLF and empty lines",
      "c.jsonl",
      `\r\n${jsonLines.replaceAll("\n", "\r\n\r\n")}`,
    ],
    ["JSON Lines with a BOM", "d.jsonl", `\uFEFF${jsonLines}`],
    ["a JSON array over many lines", "e.json", JSON.stringify(DOCUMENTS, null, 4)],
    ["a JSON array in one line", "f.json", JSON.stringify(DOCUMENTS)],
    [
      "a JSON array with a BOM and CRLF",
      "g.json",
      `\uFEFF${JSON.stringify(DOCUMENTS, null, 1)}`.replaceAll("\n", "\r\n"),
    ],
    ["gzipped JSON Lines", "h.jsonl.gz", gzipSync(jsonLines)],
    [
      "a gzipped JSON array whose name says nothing",
      "i",
      gzipSync(JSON.stringify(DOCUMENTS, null, 2)),
    ],
  ];
  const files = DOCUMENTS.map(({ file }) => file).sort();

  async function expectLoaded(args: readonly string[], input: string | Uint8Array): Promise<void> {
    const { status, stdout, stderr } = await index(args, { input });
    expect(stderr).toMatch(/^Indexing: 3 documents in [\d.]+ s$/m);
    expect(status).toBe(0);
    expect(stdout).toBe("");
    expect(await filesIn("files")).toEqual(files);
    expect(await filesIn("latest")).toEqual(files);
  }

  it.each(FORMS)("is loaded from %s", async (_, name, content) => {
    await expectLoaded([await put(name, content)], "");
  });

  it.each([
    ["plain", jsonLines],
    ["gzipped", gzipSync(JSON.stringify(DOCUMENTS, null, 2))],
  ])("is loaded from standard input, %s", async (_, content) => {
    await expectLoaded(["-"], content);
  });

  it("is loaded from several files", async () => {
    const paths = await Promise.all(
      DOCUMENTS.map((document, i) => put(`part${i}.jsonl`, lines([document]))),
    );
    const { status, stderr } = await index([paths[0] ?? "", "-", paths[2] ?? ""], {
      input: lines([DOCUMENTS[1]]),
    });
    expect(status, stderr).toBe(0);
    expect(await filesIn("latest")).toEqual(files);
  });

  it.each([
    ["an empty file", ""],
    ["empty lines", "\n\r\n\n"],
    ["an empty array", "[]"],
  ])("may be empty, without failure: %s", async (_, content) => {
    await accept([{ file: "/kept" }]);
    const { status, stderr } = await index([await put("empty", content)]);
    expect(stderr).toMatch(/^Indexing: 0 documents/m);
    expect(status).toBe(0);
    expect(await filesIn("files")).toEqual(["/kept"]);
  });

  it("arrives complete with several MB, every document once, in every form", {
    timeout: patience(60_000, 60_000),
  }, async () => {
    // More than one request to Solr, and many times what is read at once.
    const many = Array.from({ length: 25_000 }, (_, i) => ({
      file: `/many/${String(i).padStart(6, "0")}/${"ä".repeat(i % 5)}${"x".repeat(60)}.nc`,
      uri: `file:///many/${i}`,
      variable: [`v${i % 300}`],
      project: ["CMIP6"],
    }));
    const text = lines(many);
    expect(Buffer.byteLength(text)).toBeGreaterThan(3_000_000);
    const few = many.slice(0, 8000);
    for (const [content, documents] of [
      [text, many],
      [gzipSync(JSON.stringify(few)), few],
    ] as const) {
      await emptyIndex(solr);
      const { status, stderr } = await index([await put("many", content)]);
      expect(status, stderr).toBe(0);
      const expected = documents.map(({ file, uri }) => `${file} ${uri}`);
      for (const collection of ["files", "latest"]) {
        const found = (await contents(collection, "file,uri")).map(
          ({ file, uri }) => `${file} ${uri}`,
        );
        expect(found.length).toBe(expected.length);
        expect(found.join("\n") === expected.join("\n")).toBe(true);
      }
    }
  });

  it("arrives complete with many long paths in Chinese characters, again too", {
    timeout: patience(120_000),
  }, async () => {
    // As long as Linux admits: 4096 bytes.
    const many = Array.from({ length: attempts(1000, 20_000) }, (_, i) => ({
      file: `/气候/${"模式资料".repeat(320)}/v20200101/${i}.nc`,
    }));
    const path = await put("chinese.jsonl.gz", gzipSync(lines(many)));
    for (let round = 0; round < 2; round += 1) {
      const { status, stderr } = await index([path]);
      expect(status, stderr).toBe(0);
      for (const collection of ["files", "latest"]) {
        const { text } = await solr.http.send({ path: `${selectPath(collection)}q=*:*&rows=0` });
        expect(JSON.parse(text).response.numFound).toBe(many.length);
      }
    }
  });

  it("is reported in two lines: the Solr and the size", async () => {
    const { stderr } = await index([await put("told.jsonl", jsonLines)]);
    expect(stderr).toMatch(/^Using the Solr at http:\/\/.+\nIndexing: 3 documents in [\d.]+ s\n$/);
  });
});

describe("an input that breaks off", () => {
  it("loads the documents before the break of a gzipped file, names the line and ends with 1", async () => {
    const many = Array.from({ length: 3000 }, (_, i) => ({
      file: `/f${i}`,
      dataset: `${Math.sin(i)}`,
    }));
    const whole = gzipSync(lines(many));
    const path = await put("cut.jsonl.gz", whole.subarray(0, whole.length / 2));
    const { status, stderr } = await index([path]);
    expect(status).toBe(1);
    const stored = (await filesIn("files")).length;
    expect(stored).toBeGreaterThan(1000);
    const at = `cut.jsonl.gz:${stored + 1}: refused: `;
    expect(refusals(stderr)).toEqual([expect.stringContaining(at)]);
    expect(await filesIn("latest")).toHaveLength(stored);
  });

  it("loads the documents before the break of a JSON array, names the line and ends with 1", async () => {
    const path = await put("cut.json", '[\n{"file":"/a"},\n{"file":"/b"},\n{"file":"/c');
    const { status, stderr } = await index([path]);
    expect(status).toBe(1);
    expect(refusals(stderr)).toEqual([expect.stringMatching(/^cut\.json:4: refused: /)]);
    expect(await filesIn("files")).toEqual(["/a", "/b"]);
    expect(await filesIn("latest")).toEqual(["/a", "/b"]);
  });
});

describe("a refused document", () => {
  const BAD: [string, string | Buffer, RegExp][] = [
    ["that is not JSON", "{file: 1}", /^not JSON: /],
    ["that is cut off", '{"file":"/x", "project', /^not JSON: /],
    ["that is a number", "1", /^not a JSON object$/],
    ["that is null", "null", /^not a JSON object$/],
    ["that is a text", '"/x"', /^not a JSON object$/],
    ["without a file", '{"project":["p"]}', /^file is missing/],
    ["with an empty file", '{"file":""}', /^file is missing/],
    ["with two files", '{"file":["/x","/y"]}', /^file is missing/],
    ["with file twice", '{"file":"/bad/1","file":"/bad/2"}', /^file is given twice$/],
    [
      "with file twice, once in escapes",
      '{"file":"/bad/1","x":{"file":":"},"\\u0066ile" : "/bad/2"}',
      /^file is given twice$/,
    ],
    ["with another field twice", '{"file":"/bad/3","user":"a","user":""}', /^user is given twice$/],
    [
      "with half a character",
      '{"file":"/bad/\\ud800.nc"}',
      /^file: contains an unpaired surrogate/,
    ],
    [
      "with half a character in a list",
      '{"file":"/bad/l","model":["a","\\udc00"]}',
      /^model: contains an unpaired surrogate/,
    ],
    ["with a file that is an object", '{"file":{"set":"/x"}}', /^file is missing/],
    [
      "with a field that is an object",
      '{"file":"/bad/o1","model":{"set":"x"}}',
      /^model: must be a text or a list of texts, not an object$/,
    ],
    [
      "with a field that has an object in it",
      '{"file":"/bad/o2","variable":["a",{"add":"x"}]}',
      /^variable: must be a text .* not an object$/,
    ],
    [
      "with a list of lists",
      '{"file":"/bad/o3","time":[["2000"]]}',
      /^time: .* not a list of lists$/,
    ],
    [
      "with documents inside",
      '{"file":"/bad/c","_childDocuments_":[{"file":"/c"}]}',
      /^_childDocuments_: /,
    ],
    [
      "that is nested too deeply",
      `{"file":"/bad/deep","note":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
      /^has objects or arrays nested more than 32 levels deep$/,
    ],
    [
      "that is nested too deeply in objects",
      `{"file":"/bad/deep2","note":${'{"a":'.repeat(500)}1${"}".repeat(500)}}`,
      /^has objects or arrays nested more than 32 levels deep$/,
    ],
    ["that is nothing but brackets", "[".repeat(200_000), /^has objects or arrays nested/],
    [
      "with a path too long",
      `{"file":"/${"中".repeat(11_000)}"}`,
      /^file: has more than 32,766 bytes$/,
    ],
    [
      "with a value too long",
      `{"file":"/bad/l2","model":"${"m".repeat(33_000)}"}`,
      /^model: has more than/,
    ],
    [
      "with north below south",
      '{"file":"/bad/b3","bbox":"ENVELOPE(0,1,-5,5)"}',
      /^bbox: has north below south$/,
    ],
    [
      "with a side that is no number",
      '{"file":"/bad/b4","bbox":"ENVELOPE(NaN,1,5,0)"}',
      /^bbox: must be/,
    ],
    ["with latitude 95", '{"file":"/bad/b5","bbox":"ENVELOPE(0,1,95,0)"}', /^bbox: has a latitude/],
    [
      "with a side beyond all numbers",
      '{"file":"/bad/b6","bbox":"ENVELOPE(0,1e400,5,0)"}',
      /^bbox: must be/,
    ],
    [
      "with a longitude of 1e30",
      '{"file":"/bad/b7","bbox":"ENVELOPE(0,1e30,5,0)"}',
      /^bbox: has a long/,
    ],
    ["with a box that is a number", '{"file":"/bad/b8","bbox":7}', /^bbox: must be/],
    ["that is not UTF-8", Buffer.from('{"file":"/b\xE4r"}', "latin1"), /^not UTF-8$/],
    ["with a time that is none", '{"file":"/bad/time","time":"yesterday"}', /'time'.*yesterday/],
    [
      "with a time that ends before it starts",
      '{"file":"/bad/t2","time":"[2001 TO 2000]"}',
      /'time'/,
    ],
    ["with a bbox of another form", '{"file":"/bad/bbox","bbox":"1,2,3,4"}', /bbox/],
    ["with a bbox of words", '{"file":"/bad/b2","bbox":"ENVELOPE(a,b,c,d)"}', /bbox/],
    ["with two uris", '{"file":"/bad/uri","uri":["/a","/b"]}', /multiple values.*uri/],
    [
      "with two formats",
      '{"file":"/bad/format","format":["nc","zarr"]}',
      /multiple values.*format/,
    ],
    ["with two users", '{"file":"/bad/user","user":["a","b"]}', /multiple values.*user/],
  ];

  it("is reported with its file, line and reason; all others are loaded; the status is 1", async () => {
    const good = BAD.map((_, i) => ({ file: `/good/${String(i).padStart(2, "0")}` }));
    const content = Buffer.concat(
      BAD.flatMap(([, bad], i) => [
        Buffer.from(lines([good[i]])),
        Buffer.from(bad),
        Buffer.from("\n"),
      ]),
    );
    const path = await put("bad.jsonl", content);
    for (const [args, name] of [
      [[path], "bad.jsonl"],
      [["-"], "standard input"],
    ] as const) {
      await emptyIndex(solr);
      const { status, stderr } = await index(args, { input: content });
      expect(status).toBe(1);
      const found = refusals(stderr);
      expect(found).toHaveLength(BAD.length);
      for (const [i, [what, , reason]] of BAD.entries()) {
        const start = `${name}:${i * 2 + 2}: refused: `;
        const line = found.find((one) => one.startsWith(start));
        expect(line?.slice(start.length), what).toMatch(reason);
        expect(line, what).not.toMatch(/org\.apache|ERROR|Exception|\[doc=/);
      }
      expect(stderr).toMatch(
        new RegExp(`^Indexing: ${BAD.length} documents in [\\d.]+ s, ${BAD.length} refused$`, "m"),
      );
      expect(await filesIn("files")).toEqual(good.map(({ file }) => file));
      expect(await filesIn("latest")).toEqual(good.map(({ file }) => file));
    }
  });

  it("is loaded without fields that the index lacks; those that look misspelled are named once", async () => {
    const odd = { modle: "a", source_id: "b", timestamp: 1, mtime: 2, _version_: 3, foo: "c" };
    const documents = [1, 2].map((i) => ({ ...odd, file: `/odd/${i}`, time: "2000" }));
    const { status, stderr } = await index([
      await put("odd.jsonl", lines([...documents, { file: "/odd/3", model: "m", source_id: "b" }])),
    ]);
    expect(status).toBe(0);
    expect(stderr.split("\n").filter((line) => line.startsWith("note: "))).toEqual([
      'note: "modle" is no field of the index (model is), and is left out of 2 documents',
      'note: "source_id" is no field of the index (model is), and is left out of 2 documents',
    ]);
    expect(await filesIn("files")).toHaveLength(3);
  });

  it("is reported in an array with the line on which it begins", async () => {
    const path = await put(
      "bad.json",
      '[\n  {\n    "file": "/a"\n  },\n  7,\n  {\n    "file": "/b",\n    "time": "never"\n  },\n  {"file": "/c"}\n]\n{"file":"/d"}\n',
    );
    const { status, stderr } = await index([path]);
    expect(status).toBe(1);
    expect(refusals(stderr).map((line) => line.slice(0, 40))).toEqual([
      expect.stringMatching(/^bad\.json:5: refused: not a JSON object/),
      expect.stringMatching(/^bad\.json:12: refused: something follows/),
      expect.stringMatching(/^bad\.json:6: refused: .*/),
    ]);
    expect(await filesIn("latest")).toEqual(["/a", "/c"]);
  });

  it("is counted over all files, with the lines of each file", async () => {
    const one = await put("one.jsonl", "oops\n");
    const two = await put("two.jsonl", `${lines([{ file: "/fine" }])}oops\n`);
    const { status, stderr } = await index([one, two]);
    expect(status).toBe(1);
    expect(refusals(stderr).map((line) => line.split(": ")[0])).toEqual([
      "one.jsonl:1",
      "two.jsonl:2",
    ]);
    expect(stderr).toMatch(/1 document in .*, 2 refused$/m);
  });
});

describe("a file that cannot be read", () => {
  it.each([
    ["is missing", "missing.jsonl", "cannot be read (does not exist)."],
    ["is a folder", "a-folder", "is a folder, not a file."],
  ])("is one sentence if it %s, and nothing is loaded", async (_, name, reason) => {
    await mkdir(join(folder, "a-folder"), { recursive: true });
    const good = await put("good.jsonl", lines([{ file: "/good" }]));
    const path = join(folder, name);
    const { status, stdout, stderr } = await index([good, path]);
    expect(status).toBe(1);
    expect(stdout).toBe("");
    expect(oneLine(stderr)).toBe(`${path} ${reason}`);
    expect(await filesIn("files")).toEqual([]);
  });

  it("is reported before a Solr is started for it", async () => {
    const dataDir = join(folder, "untouched");
    const { status, stderr } = await runHere(["index", "/no/such.jsonl"], {
      settings: { DATA_DIR: dataDir },
    });
    expect(status).toBe(1);
    expect(oneLine(stderr)).toBe("/no/such.jsonl cannot be read (does not exist).");
    expect(existsSync(dataDir)).toBe(false);
  });
});

describe("--root", () => {
  it("is put before relative paths only", async () => {
    const path = await put(
      "relative.jsonl",
      lines([
        { file: "a/b.nc", uri: "a/b.nc" },
        { file: "c d.nc", uri: "slk:///arch/c.nc" },
        { file: "/absolute.nc", uri: "/absolute.nc" },
        { file: "https://example.org/x.zarr", uri: "https://example.org/x.zarr" },
        { file: "../up.nc" },
      ]),
    );
    const root = join(folder, "root of", "data");
    for (const [given, cwd] of [
      [root, "/"],
      [join("root of", "data"), folder],
    ] as const) {
      await emptyIndex(solr);
      const { status, stderr } = await index(["--root", given, path], { cwd });
      expect(status, stderr).toBe(0);
      const found = (await contents("latest")).map(({ file, uri }) => [file, uri]);
      expect(found).toEqual(
        [
          [`${root}/a/b.nc`, pathToFileURL(`${root}/a/b.nc`).href],
          [`${root}/c d.nc`, "slk:///arch/c.nc"],
          ["/absolute.nc", "/absolute.nc"],
          ["https://example.org/x.zarr", "https://example.org/x.zarr"],
          [join(folder, "root of", "up.nc"), undefined],
        ].sort(([a], [b]) => ((a ?? "") < (b ?? "") ? -1 : 1)),
      );
    }
  });
});

describe("versions", () => {
  const path = (version: string, name = "tas.nc"): string =>
    `/CMIP6/MPI-M/historical/tas/gn/${version}/${name}`;
  const [OLD, NEW, NEWEST] = ["v20190710", "v20200101", "v20210303"];
  const of = (version: string, more: object = {}): TestDocument => ({
    file: path(version),
    ...more,
  });

  it("are sorted out and counted across the files of one run, too", async () => {
    const one = await put("v1.jsonl", lines([of(NEW), { file: path(OLD, "pr.nc") }]));
    const two = await put("v2.jsonl", lines([of(OLD), { file: path(NEW, "pr.nc") }]));
    const { status, stderr } = await index([one, two, one]);
    expect(status, stderr).toBe(0);
    expect(stderr).toMatch(/^Indexing: 4 documents in [\d.]+ s, 2 of them older versions$/m);
    expect(await filesIn("latest")).toEqual([path(NEW, "pr.nc"), path(NEW)]);
    expect(await filesIn("files")).toHaveLength(4);
  });

  it("leave the older one unchanged if Solr refuses them", async () => {
    const bad = of(NEW, { time: "never" });
    const wanted = { files: [path(OLD)], latest: [path(OLD)] };
    for (const loads of [[[of(OLD), bad]], [[bad, of(OLD)]], [[of(OLD)], [bad]]]) {
      await emptyIndex(solr);
      for (const documents of loads) {
        const { status } = await index([await put("refused.jsonl", lines(documents))]);
        expect(status).toBe(documents.includes(bad) ? 1 : 0);
      }
      expect({ files: await filesIn("files"), latest: await filesIn("latest") }).toEqual(wanted);
    }
  });

  it("change nothing if they are loaded again, whole or in part", async () => {
    const documents = [
      of(OLD, { variable: ["tas"], version: OLD }),
      of(NEW, { variable: ["tas"], version: NEW }),
      of(NEWEST, { variable: ["tas"] }),
      { file: `/other${path(OLD, "pr.nc")}`, variable: ["pr"], time: "[1985-01 TO 1985-12]" },
      { file: "/own.nc", user: "jane" },
    ];
    await accept(documents);
    const before = await both();
    expect(before.files).toHaveLength(5);
    expect(before.latest).toHaveLength(3);
    await accept(documents);
    expect(await both()).toEqual(before);
    await accept([...documents].reverse());
    expect(await both()).toEqual(before);
    await accept(documents.slice(0, 1));
    expect(await both()).toEqual(before);
  });
});

describe("a real catalogue", () => {
  const real = packagePath("..", "shared", "data", "files.jsonl");

  it.skipIf(!existsSync(real))(
    "is loaded without refusals, twice with the same result",
    async () => {
      const count = (await readFile(real, "utf8")).split("\n").filter((line) => line !== "").length;
      const first = await index([real]);
      expect(first.stderr).not.toMatch(/refused/);
      expect(first.status).toBe(0);
      const before = await both();
      expect(before.files).toHaveLength(count);
      expect(before.latest.length).toBeGreaterThan(0);
      const second = await index([real]);
      expect(second.status).toBe(0);
      expect(await both()).toEqual(before);
    },
  );

  it("is loaded without refusals from the package", async () => {
    const sample = packagePath("data", "catalogue.jsonl");
    const { status, stderr } = await index([sample, "--root", packagePath("data")]);
    expect(stderr).not.toMatch(/refused/);
    expect(status).toBe(0);
    expect((await filesIn("files")).length).toBeGreaterThanOrEqual(300);
  });
});
