/** A tree of files as no standard has it, crawled as people do: nothing lost, nothing wrong, each said. */
import { spawnSync } from "node:child_process";
import {
  appendFile,
  chmod,
  copyFile,
  mkdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from "node:fs/promises";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Crawl } from "../../../src/catalogue/crawl/crawl.js";
import { describeFile } from "../../../src/catalogue/crawl/describe/describe-file.js";
import { FileSystem } from "../../../src/catalogue/crawl/tree/file-system.js";
import { printable } from "../../../src/catalogue/crawl/tree/found-file.js";
import { loadStandard } from "../../../src/catalogue/drs/index.js";
import { Datasets } from "../../../src/files/zarr/dataset/datasets.js";
import { type Ended, run, testSolrSettings } from "../../cli/command.js";
import { type Fields, makeOddTree, type OddTree } from "../../support/data/odd-tree.js";
import { pythonOf } from "../../support/programs/python.js";
import { freshFolder } from "../../support/run/folders.js";
import { emptyIndex } from "../../support/service/service.js";
import { useService } from "../../support/service/use-service.js";

/** Any path; headers tell the rest. */
const FREE = `
name: free
folders: ["{_}"]
files: ["{_}"]
attributes:
  model: source_id
  time_frequency: frequency
`;

/** What takes root's way round the modes of files; undefined where there is none, and nobody needs it. */
const WITHOUT_POWERS = ["setpriv", "--inh-caps=-all", "--bounding-set=-all"];
const isRoot = process.getuid?.() === 0;
const canDeny =
  !isRoot || spawnSync(WITHOUT_POWERS[0] ?? "", [...WITHOUT_POWERS.slice(1), "true"]).status === 0;

const service = useService();
let tree: OddTree;
let standard: string;
let reportFile: string;

beforeAll(async () => {
  pythonOf();
  await emptyIndex(service.solr);
  const folder = freshFolder();
  standard = join(folder, "free.yaml");
  reportFile = join(folder, "report");
  await writeFile(standard, FREE);
  tree = await makeOddTree(join(folder, "tree"), canDeny);
}, 300_000);
afterAll(async () => {
  // Node takes no paths as long as some of these.
  spawnSync("chmod", ["-R", "u+rwX", tree?.folder ?? ""]);
  spawnSync("rm", ["-rf", tree?.folder ?? ""]);
});

const crawl = (...more: string[]): Promise<Ended> =>
  run(
    ["crawl", "--drs", standard, "--min-age", "0", "--report", reportFile, ...more, tree.folder],
    {
      settings: testSolrSettings(),
      ...(isRoot && canDeny && { under: WITHOUT_POWERS }),
    },
  );

interface Line {
  readonly path: string;
  readonly kind: string;
  readonly reason: string;
}

/** The lines of the report. */
async function report(): Promise<Line[]> {
  const lines = (await readFile(reportFile, "utf8")).split("\n");
  expect(lines.pop()).toBe("");
  return lines.map((line) => {
    const [, path = "", kind = "", reason = ""] = /^(.*): (refused|note): (.*)$/.exec(line) ?? [];
    expect(kind, line).not.toBe("");
    return { path, kind, reason };
  });
}

type Document = Readonly<Record<string, unknown>> & { readonly file: string };

async function documents(): Promise<Map<string, Document>> {
  const fields =
    "file,uri,file_name,size,modified,inode,time:time_raw,time_start,time_end,time_frequency,variable,units,long_name,model,format";
  const query = new URLSearchParams({ q: "*:*", rows: "1000", fl: fields });
  const { text } = await service.solr.http.send({ path: `files/select?${query}` });
  const { docs, numFound } = JSON.parse(text).response as { docs: Document[]; numFound: number };
  expect(docs.length).toBe(numFound);
  return new Map(docs.map((document) => [document.file, document]));
}

function differences(document: Document, fields: Fields): unknown[] {
  return Object.entries(fields).flatMap(([name, expected]) => {
    const value = document[name] ?? null;
    const isSame = JSON.stringify([value].flat()) === JSON.stringify([expected].flat());
    return isSame ? [] : [{ file: document.file, name, value, expected }];
  });
}

describe("an odd tree", () => {
  it("is indexed as far as it is sound, and a line gives the reason for everything else", async () => {
    const ended = await crawl();
    expect(ended.status, ended.stderr).toBe(1);
    const found = await documents();
    expect([...found.keys()].sort()).toEqual([...tree.files.keys()].sort());
    const wrong = [...tree.files].flatMap(([file, fields]) => {
      const document = found.get(file);
      return document === undefined ? [] : differences(document, fields);
    });
    expect(wrong).toEqual([]);
    for (const [file, { time, time_start, time_end }] of found) {
      const ends = /^\[(\S+) TO (\S+)\]$/.exec(String(time ?? "")) ?? [];
      const points = [ends[1], ends[2]].map((end) => (end === "*" ? undefined : end));
      expect([file, time_start, time_end]).toEqual([file, ...points]);
    }
    for (const [file, { size, inode, format }] of found) {
      if (format === "zarr") continue;
      const stats = await stat(file, { bigint: true });
      expect([file, Number(size), inode]).toEqual([file, Number(stats.size), `${stats.ino}`]);
    }
    const lines = (await report()).filter(({ kind }) => kind === "refused");
    const said = new Map(lines.map(({ path, reason }) => [path, reason]));
    expect(lines.length).toBe(said.size);
    expect([...said.keys()].sort()).toEqual([...tree.refused.keys()].map(printable).sort());
    for (const [path, reason] of tree.refused)
      expect(said.get(printable(path)), path).toMatch(reason);
    const untimed = [...tree.files].filter(([, { time }]) => time === null).map(([file]) => file);
    const notes = (await report()).filter(
      ({ kind, reason }) => kind === "note" && reason.startsWith("time:"),
    );
    expect(notes.map(({ path }) => path).sort()).toEqual(untimed.sort());
  });

  it("gives the same index in a second crawl, which opens nothing that the index has", async () => {
    const before = await documents();
    const linesBefore = await report();
    const ended = await crawl();
    expect(ended.status, ended.stderr).toBe(1);
    expect(await documents()).toEqual(before);
    const refusedOnly = (lines: readonly Line[]) =>
      lines
        .filter(({ kind }) => kind === "refused")
        .map(({ path, reason }) => `${path}: ${reason}`)
        .sort();
    expect(refusedOnly(await report())).toEqual(refusedOnly(linesBefore));
    expect(ended.stderr).toContain(` ${tree.files.size} unchanged`);
    expect(ended.stderr).toContain(" 0 stored");
  });

  it.runIf(canDeny)(
    "keeps the files of a folder that may no longer be read, and reports it",
    async () => {
      const before = await documents();
      const closed = join(tree.folder, "hard");
      await chmod(closed, 0);
      try {
        const ended = await crawl();
        expect(ended.status, ended.stderr).toBe(1);
        expect(await documents()).toEqual(before);
        const said = (await report())
          .filter(({ path }) => path === closed)
          .map(({ reason }) => reason);
        expect(said).toEqual(["the folder cannot be read (no permission)"]);
      } finally {
        await chmod(closed, 0o755);
      }
    },
  );
});

describe("a file that changes during the crawl", () => {
  /** What happens to it between its being found and its being read, or afterwards. */
  const CHANGES: Readonly<
    Record<
      string,
      { before?(path: string): Promise<unknown>; after?(path: string): Promise<unknown> }
    >
  > = {
    renamed: { before: (path) => rename(path, `${path}.moved`) },
    deleted: { before: (path) => rm(path) },
    deleted_after: { after: (path) => rm(path) },
    grown: { after: (path) => appendFile(path, "more") },
    touched: { after: (path) => utimes(path, new Date(), new Date()) },
    cut_off: { before: (path) => truncate(path, 100) },
    emptied: { after: (path) => truncate(path, 0) },
    replaced: {
      before: async (path) => {
        const { atime, mtime } = await stat(path);
        await copyFile(path, `${path}.new`);
        await utimes(`${path}.new`, atime, mtime);
        await rename(`${path}.new`, path);
      },
    },
    made_a_link: {
      before: async (path) => {
        await rm(path);
        await symlink("/etc/passwd", path);
      },
    },
    made_a_folder: {
      before: async (path) => {
        await rm(path);
        await mkdir(path);
      },
    },
    made_a_pipe: {
      before: async (path) => {
        await rm(path);
        spawnSync("mkfifo", [path]);
      },
    },
  };

  it("is left for the next time with a line, whatever becomes of it, and nothing else is lost", async () => {
    await emptyIndex(service.solr);
    const folder = join(freshFolder(), "changing");
    await mkdir(folder);
    const names = [...Object.keys(CHANGES), "as_it_was"];
    const path = (name: string): string => join(folder, `${name}.nc`);
    for (const name of names) await copyFile(join(tree.folder, "times", "one.nc"), path(name));
    const old = new Date(Date.now() - 3_600_000);
    for (const name of names) await utimes(path(name), old, old);
    const refused = new Map<string, string>();
    const fs = new FileSystem();
    const datasets = new Datasets({ time: 20_000 });
    const free = await loadStandard(standard);
    try {
      const work = new Crawl(fs, {
        paths: [folder],
        lists: [],
        shard: undefined,
        minAge: 0,
        keepGone: false,
        report: {
          refuse: (of, reason) => {
            expect(refused.has(of), of).toBe(false);
            refused.set(of, reason);
          },
          note: () => {},
        },
        isFiled: () => true,
        storageOf: () => ({ isArchive: false }),
        onProgress: () => {},
        signal: new AbortController().signal,
        describe: async (file) => {
          const change = CHANGES[basename(file.path, ".nc")];
          await change?.before?.(file.path);
          const described = await describeFile(file, {
            standard: free,
            datasets,
            facets: {},
            checksum: fs,
          });
          await change?.after?.(file.path);
          return described;
        },
      });
      await work.prepare();
      await work.run(service.solr);
    } finally {
      await Promise.all([fs.close(), datasets.close()]);
    }
    expect([...(await documents()).keys()]).toEqual([path("as_it_was")]);
    expect([...refused.keys()].sort()).toEqual(Object.keys(CHANGES).map(path).sort());
    for (const [of, reason] of refused) {
      expect(reason, of).toMatch(
        /^was written while it was read$|cannot be read|text file|not|bytes of/,
      );
    }
  });
});
