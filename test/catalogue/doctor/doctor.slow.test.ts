/** The command `doctor` on what is odd: names, rights, mounts, and a Solr that ends. */
import { execFileSync } from "node:child_process";
import { chmod, cp, link, mkdir, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { SolrHttp } from "../../../src/index/transport/http.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { type Ended, run, type Settings, testSolrSettings } from "../../cli/command.js";
import { expectBelow } from "../../support/run/bounds.js";
import { freshFolder } from "../../support/run/folders.js";
import { testEndpoint } from "../../support/service/service.js";
import { clear, type Document, makeTree, post, statOf } from "./trees.js";

let http: SolrHttp;
let root: string;

beforeAll(() => {
  http = new SolrHttp(testEndpoint(), 20_000);
});
beforeEach(async () => {
  await clear(http);
  root = freshFolder();
});

const doctor = (args: readonly string[], settings: Settings = {}): Promise<Ended> =>
  run(["doctor", ...args], { settings: { ...testSolrSettings(), ...settings } });

const documentsOf = async (name: string): Promise<Document[]> =>
  (await makeTree(root, name, "noleap")).documents;

/** Kinds and files of what is found, and the summary. */
function read({ stdout, stderr }: Ended) {
  const lines = stdout.split("\n").slice(0, -1);
  const all = lines.map((line) => JSON.parse(line));
  const summary = all.pop()?.summary;
  if (summary === undefined) throw new Error(`${stdout}\n${stderr}`);
  return { found: all.map(({ kind, file }) => `${kind} ${file}`), all, summary };
}

describe("the checked files", () => {
  it("are those at or below a path, or with given facets; by default everything public, in every version", async () => {
    const one = await documentsOf("one");
    const two = await documentsOf("two");
    const users = (await documentsOf("three")).map((each) => ({ ...each, user: "ada" }));
    await post(http, [...one, ...two, ...users]);
    const count = async (...args: string[]): Promise<number> =>
      read(await doctor([...args, "--json"])).summary.files;
    expect(await count()).toBe(12);
    expect(await count(join(root, "one"))).toBe(6);
    expect(await count(`${join(root, "one")}/`, join(root, "two", "v20200101"))).toBe(12);
    expect(await count(one[2]?.file ?? "")).toBe(1);
    expect(await count("-s", `file=${root}/two/*`)).toBe(6);
    expect(await count("--flavour", "cmip6", "-s", "mip_era=cmip6", "-s", "frequency=day")).toBe(
      12,
    );
    expect(await count("--flavour", "user")).toBe(6);
  });

  it.each([
    [["--flavour", "cmip9"], /^There is no flavour "cmip9"/],
    [["-s", "modle=x"], /^modle: /],
    [["-s", "model"], /is not key=value/],
    [["/nowhere/at/all"], /nothing was checked/],
    [["--patience", "soon"], /Write a number/],
    [["--often"], /unknown option/],
  ])("are none for %j, with a reason and status 2", async (args, reason) => {
    await post(http, await documentsOf("one"));
    const ended = await doctor(args);
    expect(ended.stderr).toMatch(reason);
    expect(ended.status).toBe(2);
    expect(ended.stdout).toBe("");
  });
});

describe("the report", () => {
  it("has a line for each finding, below its data set, then what to do and what is not known", async () => {
    const documents = await documentsOf("one");
    const [first, second] = documents as [Document, Document];
    await rm(first.file);
    delete second.size;
    delete second.tracking_id;
    delete second.checksum;
    await post(http, documents);
    const { stdout, status } = await doctor([]);
    expect(status).toBe(1);
    const [heading, line, empty, summary, ...rest] = stdout.split("\n");
    expect(heading).toBe(`${first.dataset_id} v20200101`);
    expect(line).toMatch(/^ {2}missing +\S/);
    expect(line).toContain(`${first.file} is not there`);
    expect(empty).toBe("");
    expect(summary).toMatch(
      /^6 files in 1 data set checked in [\d.]+ s, no header read: something is wrong\.$/,
    );
    const tail = rest.join("\n");
    expect(tail).toMatch(/^ {2}missing +1: .*climate-nextgen crawl/m);
    expect(tail).toMatch(/^ {2}1 of 6 files: whether it has changed: /m);
    expect(tail).toMatch(/^ {2}1 of 6 files: whether it is a duplicate: /m);
  });

  it("contains no line break or control character of a file's name", async () => {
    const names = [
      "a\nb",
      "\u001b[2J\u001b]0;x\u0007",
      "\u202egnp.cn",
      "\u0085\u2028\u009b31m",
      "é ü 日本 \u{1f30d}",
    ];
    const template = (await documentsOf("one"))[0] as Document;
    await rm(template.file);
    const documents = names.map((name, i) => ({
      ...template,
      file: join(root, name, `${name}.nc`),
      dataset_id: `one\n${name}`,
      tracking_id: `${i}\n${name}`,
      checksum: `${i}\u001b`,
      version: `v1\u001b[1m`,
    }));
    await post(http, documents);
    const text = await doctor([]);
    expect(text.status).toBe(1);
    expect(text.stdout.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e]/u);
    expect(text.stdout.match(/^ {2}missing /gm)).toHaveLength(names.length + 1);
    const { found } = read(await doctor(["--json"]));
    expect([...found].sort()).toEqual(documents.map(({ file }) => `missing ${file}`).sort());
  });

  it("ends quietly for a reader that stops early", async () => {
    const documents = await documentsOf("one");
    for (const { file } of documents) await rm(file);
    await post(http, documents);
    const command = `"${process.execPath}" "${packagePath("dist", "src", "main.js")}" doctor | head -1`;
    const stdout = execFileSync("/bin/sh", ["-c", command], {
      env: { PATH: process.env.PATH, ...testSolrSettings() },
      encoding: "utf8",
    });
    expect(stdout).toBe(`${documents[0]?.dataset_id} v20200101\n`);
  });
});

describe("a file in a folder of another model", () => {
  it("is found by its header, with the value that a crawl stores", async () => {
    const tree = join("CMIP6", "CMIP", "MPI-M", "MPI-ESM1-2-LR", "historical", "r1i1p1f1", "fx");
    const wrong = join(root, tree.replace("MPI-ESM1-2-LR", "MPI-ESM1-2-HR"));
    await cp(packagePath("data", "files", tree), wrong, { recursive: true });
    const names = await readdir(wrong, { recursive: true });
    const files = names.filter((name) => name.endsWith(".nc")).map((name) => join(wrong, name));
    await post(
      http,
      await Promise.all(files.map(async (file) => ({ file, ...(await statOf(file)) }))),
    );
    const { all } = read(await doctor(["--headers", "--json"]));
    const found = all.filter(({ kind }) => kind === "facet");
    expect(new Set(found.map(({ file }) => file))).toEqual(new Set(files));
    expect(found.map(({ detail }) => detail)).toContain(
      "model: the path says MPI-ESM1-2-HR, the header MPI-ESM1-2-LR; stored is MPI-ESM1-2-LR",
    );
    expect(read(await doctor(["--json"])).found).toEqual([]);
  });
});

describe("files and folders", () => {
  it("are unreadable, not missing, if access is denied", async () => {
    const documents = await documentsOf("one");
    const [first] = documents as [Document];
    await post(http, documents);
    const folder = dirname(first.file);
    await chmod(folder, 0o000);
    try {
      const isRoot = process.getuid?.() === 0;
      if (isRoot) {
        // Nothing is closed to root: somebody else looks.
        for (const path of [dirname(root), root, dirname(folder)]) await chmod(path, 0o755);
      }
      const main = packagePath("dist", "src", "main.js");
      const command = [process.execPath, main, "doctor", "--json"];
      const [program = "", ...args] = isRoot
        ? ["setpriv", "--reuid=65534", "--clear-groups", ...command]
        : command;
      const env = { PATH: process.env.PATH, ...testSolrSettings() };
      const stdout = succeedOrNot(program, args, env);
      const found = stdout.split("\n").filter((line) => line.includes('"kind"'));
      expect(found).toHaveLength(6);
      for (const line of found) expect(JSON.parse(line)).toMatchObject({ kind: "unreadable" });
    } finally {
      await chmod(folder, 0o755);
    }
  });

  it("are reported once below a folder that this machine does not have", async () => {
    const documents = await documentsOf("one");
    const moved = documents.map((each) => ({ ...each, file: `/not-on-this-machine${each.file}` }));
    await post(http, moved);
    const ended = await doctor(["--json"]);
    expect(read(ended).all).toMatchObject([
      { kind: "elsewhere", file: "/not-on-this-machine", count: 6 },
    ]);
    expect(ended.status).toBe(1);
  });

  it("are never opened in an archive, and missing only if their folder exists without them", async () => {
    const documents = (await documentsOf("one")).map(
      (each): Document => ({ ...each, fs_type: "hsm" }),
    );
    const [first, second, third] = documents as [Document, Document, Document];
    await rm(first.file);
    // No header is that: it would be told of if it were opened.
    await writeFile(second.file, "on tape");
    Object.assign(second, await statOf(second.file));
    const away = {
      ...third,
      file: join(root, "mount-point", "x.nc"),
      tracking_id: "a",
      checksum: "b",
    };
    await mkdir(join(root, "mount-point"));
    await post(http, [...documents, away]);
    const { found, summary } = read(await doctor(["--json", "--headers"]));
    expect(found).toEqual([`missing ${first.file}`]);
    expect(summary).toMatchObject({ headers: 0, unknown: { contents: 5, presence: 1 } });
  });

  it("are not known if they are no paths of this machine", async () => {
    const documents = await documentsOf("one");
    const files = ["s3://bucket/x.nc", "https://example.org/x.nc", "relative/x.nc"];
    await post(
      http,
      files.map((file, i) => ({ ...(documents[i] as Document), file })),
    );
    const { found, summary } = read(await doctor(["--json", "--headers"]));
    expect(found).toEqual([]);
    expect(summary.unknown.presence).toBe(3);
  });

  it("may be zarr stores; a folder that is not one is not data", async () => {
    const template = (await documentsOf("one"))[0] as Document;
    const stores = ["a.zarr", "b.zarr"].map(
      (name, i): Document => ({
        ...template,
        file: join(root, name),
        format: "zarr",
        dataset_id: name,
        tracking_id: `${i}`,
        checksum: `${i}`,
      }),
    );
    for (const { file } of stores) await mkdir(file);
    const [store, none] = stores as [Document, Document];
    const group = join(store.file, ".zgroup");
    await writeFile(group, '{"zarr_format":2}');
    await writeFile(join(store.file, ".zattrs"), '{"frequency":"fx"}');
    const { size, modified } = await statOf(join(store.file, ".zattrs"));
    const { inode } = await statOf(store.file);
    Object.assign(store, { inode, size: Number(size) + 17, modified });
    await utimes(group, new Date(0), new Date(0));
    await post(http, stores);
    const { found, summary } = read(await doctor(["--json"]));
    expect(found).toEqual([`unreadable ${none.file}`]);
    // All of its files would have to be looked at.
    expect(summary.unknown).toEqual({ change: 1 });
    const whole = read(await doctor(["--json", "--headers"]));
    expect([whole.found, whole.summary.unknown]).toEqual([found, {}]);
    await writeFile(group, '{"zarr_format": 2}');
    const changed = read(await doctor(["--json", "--headers"]));
    expect(changed.found).toEqual([`changed ${store.file}`, ...found]);
  });

  it("are reported once if they do not answer, and the others are checked", async () => {
    const well = await documentsOf("well");
    const stuck = await documentsOf("stuck");
    await rm(well[0]?.file ?? "");
    await post(http, [...well, ...stuck]);
    const pipe = join(root, "pipe");
    execFileSync("mkfifo", [pipe]);
    const preload = pathToFileURL(packagePath("test", "catalogue", "doctor", "stuck.mjs")).href;
    const settings = { NODE_OPTIONS: `--import=${preload}`, STUCK_PIPE: pipe };
    const ended = await doctor(["--json", "--patience", "1"], settings);
    const { found, summary } = read(ended);
    expect(found).toEqual([
      `missing ${well[0]?.file}`,
      `silent ${join(root, "stuck", "v20200101")}`,
    ]);
    expect(summary.unknown.silent).toBe(6);
    expect(ended.status).toBe(1);
    expectBelow(ended.milliseconds, 30_000);
  });
});

describe("documents with few fields", () => {
  it("are counted as not known, without findings", async () => {
    const documents = await documentsOf("one");
    const [a, b, c, d] = documents as [Document, Document, Document, Document];
    delete a.dataset_id;
    delete b.time_start;
    for (const one of [c, d]) {
      one.dataset_id = "often";
      one.time_frequency = "often";
    }
    await post(http, documents.slice(0, 4));
    const { found, summary } = read(await doctor(["--json"]));
    expect(found).toEqual([]);
    expect(summary).toMatchObject({
      files: 4,
      datasets: 2,
      unknown: { dataset: 1, time: 1, frequency: 2 },
    });
  });

  it("need no time if their data are constant", async () => {
    const [document] = (await documentsOf("one")) as [Document];
    delete document.time_start;
    delete document.time_end;
    await post(http, [{ ...document, time: "[* TO *]", time_frequency: "fx" }]);
    const { found, summary } = read(await doctor(["--json"]));
    expect([found, summary.unknown]).toEqual([[], {}]);
  });
});

describe("the same tracking_id", () => {
  const kinds = async (change: (copy: Document) => void): Promise<string[]> => {
    await clear(http);
    const [document] = (await documentsOf("one")) as [Document];
    const file = document.file.replace("/one/", "/two/");
    await mkdir(dirname(file), { recursive: true });
    await rm(file, { force: true });
    await link(document.file, file);
    const copy: Document = { ...document, file, checksum: "sha256:other" };
    change(copy);
    await post(http, [document, copy]);
    return read(await doctor(["--json"])).all.map(({ kind }) => kind);
  };

  it("is allowed for copies and versions, but not for two other files", async () => {
    expect(await kinds(() => {})).toEqual(["tracking_id"]);
    expect(await kinds((copy) => Object.assign(copy, { fs_type: "hsm" }))).toEqual([]);
    expect(await kinds((copy) => Object.assign(copy, { dataset: "replica" }))).toEqual([]);
    expect(await kinds((copy) => Object.assign(copy, { version: "v2" }))).toEqual([]);
    // Of the same name in another place, though its data set is another one by fewer facets.
    const elsewhere = { fs_type: "hsm", dataset_id: "other" };
    expect(await kinds((copy) => Object.assign(copy, elsewhere))).toEqual([]);
    expect(await kinds((copy) => Object.assign(copy, { dataset_id: "other" }))).toEqual([
      "tracking_id",
    ]);
    // As facets compare, so that Solr finds both; they are two.
    const small = (copy: Document) =>
      Object.assign(copy, { tracking_id: String(copy.tracking_id).toUpperCase() });
    expect(await kinds(small)).toEqual([]);
  });
});

describe("a missing Solr", () => {
  it("is status 2, also if it dies during the run, and never reported as success", async () => {
    const gone = await doctor([], { SOLR_URL: "http://127.0.0.1:9/solr" });
    expect([gone.status, gone.stdout]).toEqual([2, ""]);
    await post(http, await documentsOf("one"));
    for (const bytes of [0, 400, 900, 1500]) {
      const { address, close } = await breakingOff(bytes);
      const ended = await doctor(["--json"], { SOLR_URL: address });
      await close();
      expect(ended.status, `${bytes}: ${ended.stderr}`).toBe(2);
      expect(ended.stdout).not.toContain("summary");
      expect(ended.stderr).toMatch(/the findings cover \d+ files? and are incomplete\.$/m);
    }
  });
});

/** What a program prints, whatever its exit status is. */
function succeedOrNot(program: string, args: readonly string[], env: NodeJS.ProcessEnv): string {
  try {
    return execFileSync(program, args, { env, encoding: "utf8", cwd: "/" });
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    if (!stdout) throw new Error(String(stderr));
    return stdout;
  }
}

/** A way to the test run's Solr on which exports end after so many bytes. */
async function breakingOff(bytes: number) {
  const [url] = testEndpoint().urls;
  const { request, createServer: createHttpServer } = await import("node:http");
  const server = createHttpServer((incoming, outgoing) => {
    const target = new URL(incoming.url ?? "/", url);
    const isExport = /\/export$/.test(target.pathname);
    const forwarded = request(
      target,
      { method: incoming.method ?? "GET", headers: { ...incoming.headers, host: url.host } },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        if (!isExport) {
          answer.pipe(outgoing);
          return;
        }
        answer.once("data", (piece: Buffer) => {
          outgoing.write(piece.subarray(0, bytes), () => outgoing.destroy());
          answer.destroy();
        });
      },
    );
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return {
    address: `http://127.0.0.1:${port}/solr`,
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
