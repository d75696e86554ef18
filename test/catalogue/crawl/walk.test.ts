/** What a walk finds, on real folders; no Solr. */
import { writeFileSync } from "node:fs";
import {
  appendFile,
  mkdir,
  rename,
  rm,
  symlink,
  truncate,
  utimes,
  writeFile,
} from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Crawl } from "../../../src/catalogue/crawl/crawl.js";
import { absent, Gone } from "../../../src/catalogue/crawl/gone.js";
import { FileSystem } from "../../../src/catalogue/crawl/tree/file-system.js";
import type { FoundFile } from "../../../src/catalogue/crawl/tree/found-file.js";
import { ListedPaths, rootsOf } from "../../../src/catalogue/crawl/tree/sources.js";
import { Walk } from "../../../src/catalogue/crawl/tree/walk.js";
import { expectBelow } from "../../support/run/bounds.js";
import { freshFolder } from "../../support/run/folders.js";

let folder: string;
let fs: FileSystem;
let told: string[];

beforeEach(async () => {
  folder = freshFolder();
  fs = new FileSystem();
  told = [];
});
afterEach(() => fs.close());

async function put(path: string, bytes: string | Buffer = ""): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), bytes);
}

const report = {
  refuse: (path: string, reason: string) => told.push(`${relative(folder, path)}: ${reason}`),
  note: () => {},
};

async function walk(roots: readonly string[] = ["."], system = fs): Promise<[FoundFile[], Walk]> {
  const { folders } = await rootsOf(
    system,
    roots.map((root) => join(folder, root)),
  );
  const signal = new AbortController().signal;
  const isFiled = (path: string): boolean => path.includes("/drs/");
  const walked = new Walk(system, folders, { report, signal, isFiled });
  const found: FoundFile[] = [];
  for await (const file of walked.files()) found.push(file);
  return [found, walked];
}

const names = async (roots?: readonly string[]): Promise<string[]> =>
  (await walk(roots))[0].map(({ path }) => relative(folder, path));

describe("a walk", () => {
  it("finds files of data by their names in any case, with size, time and inode", async () => {
    await put("a/x.nc", "1234");
    await put("a/Y.NC4", "1");
    await put("a/readme.txt", "no");
    await put("a/.hidden.nc", "no");
    await put(".hidden/z.nc", "no");
    await utimes(join(folder, "a/x.nc"), 1000.5, 1000.5);
    const [found] = await walk();
    expect(found.map(({ path }) => relative(folder, path))).toEqual(["a/Y.NC4", "a/x.nc"]);
    expect(found[1]).toMatchObject({ kind: "file", size: 4, modified: 1_000_500 });
    expect(found[1]?.inode).toMatch(/^\d+$/);
    expect(told).toEqual([]);
  });

  it("does not take a link to a version beside it for another version, whatever it is called", async () => {
    await put("drs/v20190710/x.nc");
    await put("drs/v20200101/x.nc");
    await symlink("v20200101", join(folder, "drs/latest"));
    await symlink("v20200101", join(folder, "drs/vnewest"));
    expect(await names()).toEqual(["drs/v20190710/x.nc", "drs/v20200101/x.nc"]);
  });

  it("follows a link out of the tree once, under the link's name", async () => {
    await put("elsewhere/x.nc");
    await put("root/y.nc");
    await symlink("../elsewhere", join(folder, "root/a"));
    await symlink("../elsewhere", join(folder, "root/b"));
    expect(await names(["root"])).toEqual(["root/y.nc", "root/a/x.nc"]);
    expect(await names(["root", "elsewhere"])).toEqual(["root/y.nc", "elsewhere/x.nc"]);
  });

  it("finds data outside the tree under the version's name, not under that of a link beside it", async () => {
    await put("store/abc/x.nc");
    await put("store/def/y.nc");
    await put("store/pool/z.nc");
    await mkdir(join(folder, "root/drs"), { recursive: true });
    await symlink("../../store/abc", join(folder, "root/drs/v20200101"));
    await symlink("v20200101", join(folder, "root/drs/latest"));
    for (const version of ["latest", "v20190710"]) {
      await mkdir(join(folder, "root/drs/gn", version), { recursive: true });
      await symlink("../../../../store/def/y.nc", join(folder, "root/drs/gn", version, "y.nc"));
    }
    // The name of the root itself says nothing of the version.
    await mkdir(join(folder, "v2/drs/ua"), { recursive: true });
    await symlink("../../../store/pool", join(folder, "v2/drs/ua/latest"));
    await symlink("../../../store/pool", join(folder, "v2/drs/ua/v20190710"));
    const one = ["root/drs/gn/v20190710/y.nc", "root/drs/v20200101/x.nc"];
    expect(await names(["root"])).toEqual(one);
    expect(await names(["v2"])).toEqual(["v2/drs/ua/v20190710/z.nc"]);
  });

  it("enters no loop, and reports a link to a folder above it", async () => {
    await put("root/a/x.nc");
    await symlink(".", join(folder, "root/a/same"));
    await symlink("..", join(folder, "root/a/up"));
    await symlink("../../..", join(folder, "root/a/out"));
    await symlink("self", join(folder, "root/self"));
    expect(await names(["root"])).toEqual(["root/a/x.nc"]);
    expect(told).toEqual([
      "root/self: is a link that leads back to itself",
      expect.stringMatching(
        /^root\/a\/out: is a link to .*, in which the crawled folder itself lies$/,
      ),
    ]);
  });

  it("finds a file with several links once, except as another version", async () => {
    await put("store/1.nc", "data");
    await put("root/drs/v20190710/x.nc", "data");
    await mkdir(join(folder, "root/drs/v20200101"));
    // Unchanged in the next version, as data nodes have it.
    await symlink("../v20190710/x.nc", join(folder, "root/drs/v20200101/x.nc"));
    await symlink("x.nc", join(folder, "root/drs/v20190710/alias.nc"));
    await symlink("../../../store/1.nc", join(folder, "root/drs/v20190710/y.nc"));
    await symlink("../../../store/1.nc", join(folder, "root/drs/v20200101/y.nc"));
    await symlink("../../../store/1.nc", join(folder, "root/drs/v20200101/z.nc"));
    const [found] = await walk(["root"]);
    expect(found.map(({ path }) => relative(folder, path))).toEqual([
      "root/drs/v20190710/x.nc",
      "root/drs/v20190710/y.nc",
      "root/drs/v20200101/x.nc",
      "root/drs/v20200101/y.nc",
    ]);
    expect(found.every(({ size }) => size === 4)).toBe(true);
  });

  it("finds a file below a link under a name of the standard, also if it has another name before it", async () => {
    await put("store/all/x.nc");
    for (const name of ["drs/v20190710", "other"]) {
      await mkdir(join(folder, "store", name), { recursive: true });
      await symlink(join(folder, "store/all/x.nc"), join(folder, "store", name, "x.nc"));
    }
    await mkdir(join(folder, "root"));
    await symlink("../store", join(folder, "root/link"));
    expect(await names(["root"])).toEqual(["root/link/all/x.nc", "root/link/drs/v20190710/x.nc"]);
  });

  it("reports links that lead nowhere, and names that are not UTF-8 or contain line breaks", async () => {
    await put("a/x.nc");
    await symlink("nowhere.nc", join(folder, "a/broken.nc"));
    await put("a/two\nlines.nc");
    await put("a/no-text.nc");
    await rename(
      join(folder, "a/no-text.nc"),
      Buffer.concat([
        Buffer.from(join(folder, "a/t")),
        Buffer.from([0xe9]),
        Buffer.from(".nc"),
      ]) as never,
    );
    expect(await names()).toEqual(["a/x.nc"]);
    expect(told.sort()).toEqual([
      "a/broken.nc: is a link that leads nowhere",
      "a/t\\xe9.nc: the name is not UTF-8",
      "a/two\nlines.nc: has a control character in its name",
    ]);
  });

  it("goes through a folder of more folders than a call may have arguments", async () => {
    const names = Array.from({ length: 130_000 }, (_, i) => String(i).padStart(6, "0"));
    await put(`${names[0]}/x.nc`);
    const wide = new (class extends FileSystem {
      override async *list(path: string, measured: boolean) {
        if (path !== folder) return yield* super.list(path, measured);
        const entries = names.map((name) => ({ kind: "folder", name }) as const);
        yield { markers: [], entries, isEmpty: false, done: true };
      }
    })();
    const { signal } = new AbortController();
    const options = { report, signal, isFiled: () => false };
    const walked = new Walk(wide, [{ path: folder, real: folder }], options);
    expect((await walked.files().next()).value?.path).toBe(join(folder, `${names[0]}/x.nc`));
    await wide.close();
  });

  it("reports a zarr store as one file with the sum of its bytes, however many files it has", async () => {
    await put("x.zarr/zarr.json", "{}");
    await put("x.zarr/tas/c/0/0", "12345");
    await put("x.zarr/tas/inside.nc", "123");
    await put("many/.zgroup", "{}");
    for (let at = 0; at < 5500; at += 1) writeFileSync(join(folder, `many/0.${at}`), "1");
    const [found] = await walk();
    expect(found.map(({ path, kind, size }) => [relative(folder, path), kind, size])).toEqual([
      ["many", "zarr", 5502],
      ["x.zarr", "zarr", 10],
    ]);
  });

  it("finds everything in a folder that is read in several parts", async () => {
    const all = Array.from({ length: 6000 }, (_, at) => `${at}`.padStart(5, "0"));
    await mkdir(join(folder, "big"));
    for (const name of all) writeFileSync(join(folder, "big", `${name}.nc`), "");
    const found = await names();
    expect(found.sort()).toEqual(all.map((name) => `big/${name}.nc`));
  });

  it("finds everything once if one root lies in another", async () => {
    await put("a/b/x.nc");
    await put("a/y.nc");
    expect(await names(["a", "a/b", "a"])).toEqual(["a/y.nc", "a/b/x.nc"]);
    expect(await names(["a/b", "a"])).toEqual(["a/b/x.nc", "a/y.nc"]);
  });

  it("gives each share of a tree other files, with all versions of one in the same share", async () => {
    const outside = join(freshFolder(), "1.nc");
    writeFileSync(outside, "");
    for (let at = 0; at < 40; at += 1) {
      for (const version of ["v20190710", "v20200101"]) {
        await put(`drs/d${at}/${version}/x.nc`);
        // Many names of one file; one of them is found, in both versions.
        await symlink(outside, join(folder, `drs/d${at}/${version}/linked.nc`));
      }
    }
    const { folders } = await rootsOf(fs, [folder]);
    const signal = new AbortController().signal;
    const shares = [1, 2, 3].map(async (index) => {
      const options = { report, signal, isFiled: () => true, shard: { index, count: 3 } };
      const system = new FileSystem();
      const found: string[] = [];
      for await (const { path } of new Walk(system, folders, options).files()) found.push(path);
      await system.close();
      return found;
    });
    const all = await Promise.all(shares);
    expect(all.flat().sort()).toEqual((await walk())[0].map(({ path }) => path).sort());
    expect(all.flat()).toHaveLength(82);
    for (const share of all) {
      expect(share.length).toBeGreaterThan(5);
      const versions = share.map((path) => path.replace(/v\d{8}/, ""));
      expect(versions).toHaveLength(2 * new Set(versions).size);
    }
  });
});

describe("a file that is replaced during the reading", () => {
  it("is refused this time", async () => {
    for (const name of ["a", "b", "c", "d"]) await put(`${name}.nc`, "1234");
    const old = new Date("2020-01-01");
    for (const name of ["a", "b", "c", "d"]) await utimes(join(folder, `${name}.nc`), old, old);
    const signal = new AbortController().signal;
    const crawl = new Crawl(fs, {
      paths: [folder],
      lists: [],
      shard: undefined,
      minAge: 60,
      keepGone: false,
      report,
      signal,
      onProgress: () => {},
      isFiled: () => true,
      storageOf: () => ({ isArchive: false }),
      describe: async ({ path }) => {
        if (path.endsWith("/a.nc")) await writeFile(path, "4321");
        if (path.endsWith("/b.nc")) {
          await writeFile(`${path}.new`, "4321");
          await utimes(`${path}.new`, old, old);
          await rename(`${path}.new`, path);
        }
        if (path.endsWith("/c.nc")) await rm(path);
        return { document: { file: path }, notes: [] };
      },
    });
    await crawl.prepare();
    const found: unknown[] = [];
    for await (const document of crawl.documents()) found.push(document);
    expect(found).toEqual([{ file: join(folder, "d.nc") }]);
    expect(told.sort()).toEqual(
      ["a", "b", "c"].map((name) => `${name}.nc: was written while it was read`),
    );
  });
});

describe("a recently written file", () => {
  it("is read if it stays unchanged, and left if it grows, also if its writer pauses a second", async () => {
    for (const name of ["copied", "growing", "touched"]) await put(`${name}.nc`, "1234");
    const growing = join(folder, "growing.nc");
    const writer = setInterval(() => void appendFile(growing, "5"), 1000);
    const read: string[] = [];
    const crawl = new Crawl(fs, {
      paths: [folder],
      lists: [],
      shard: undefined,
      minAge: undefined,
      keepGone: false,
      report,
      signal: new AbortController().signal,
      onProgress: () => {},
      isFiled: () => true,
      storageOf: () => ({ isArchive: false }),
      describe: async ({ path }) => {
        read.push(relative(folder, path));
        return { document: { file: path }, notes: [] };
      },
    });
    try {
      await crawl.prepare();
      for await (const _ of crawl.documents());
    } finally {
      clearInterval(writer);
    }
    expect(read.sort()).toEqual(["copied.nc", "touched.nc"]);
    expect(told).toEqual(["growing.nc: waits, as it still changes"]);
    expect(crawl.counts).toMatchObject({ found: 3, fresh: 2, young: 1 });
  });
});

async function goneOf(walked: Walk, paths: readonly string[], system = fs): Promise<string[]> {
  const gone = new Gone(walked, system, report, undefined);
  const found = await gone.of(paths.map((path) => join(folder, path)));
  gone.reportStaying();
  return found.map((path) => relative(folder, path));
}

describe("missing files", () => {
  it("are those that a completely listed folder does not have", async () => {
    await put("a/b/x.nc");
    const [, walked] = await walk(["a"]);
    expect(await goneOf(walked, ["a/b/x.nc", "a/b/y.nc", "a/c/d/z.nc"])).toEqual([
      "a/b/y.nc",
      "a/c/d/z.nc",
    ]);
    expect(told).toEqual([]);
  });

  it("are none below a folder that is empty or has only hidden names", async () => {
    await put("a/x.nc");
    await mkdir(join(folder, "a/mount"), { recursive: true });
    await put("a/other/.nfs0001");
    const [, walked] = await walk(["a"]);
    const known = ["a/mount/b/y.nc", "a/mount/z.nc", "a/other/w.nc"];
    expect(await goneOf(walked, known)).toEqual([]);
    expect(told).toEqual([
      expect.stringMatching(
        /^a\/mount: is empty, .*; 2 entries below it stay in the index until the folder is deleted$/,
      ),
      expect.stringMatching(
        /^a\/other: is empty, .*; 1 entry below it stay in the index until the folder is deleted$/,
      ),
    ]);
  });

  it("are none that were added after the folder was listed, nor below one that went away since", async () => {
    await put("a/x.nc");
    await put("a/sub/y.nc");
    const { folders } = await rootsOf(fs, [join(folder, "a")]);
    const signal = new AbortController().signal;
    const walked = new Walk(fs, folders, { report, signal, isFiled: () => true });
    for await (const { path } of walked.files()) {
      if (!path.endsWith("a/x.nc")) continue;
      await rm(join(folder, "a/sub"), { recursive: true });
      await put("a/new.nc");
    }
    expect(await goneOf(walked, ["a/new.nc", "a/sub/y.nc", "a/old.nc"])).toEqual(["a/old.nc"]);
    expect(told).toEqual([expect.stringMatching(/^a\/sub: went away while it was looked for; /)]);
  });

  it("do not include links that lead nowhere", async () => {
    await symlink("away/x.nc", join(folder, "x.nc"));
    expect(await absent(fs, [join(folder, "x.nc"), join(folder, "y.nc")], () => {})).toEqual([
      join(folder, "y.nc"),
    ]);
  });
});

describe("a file system that does not answer", () => {
  /** Its thread waits for ever in folders named `stuck`, as on a mount that does not answer. */
  const stuck = new URL("./stuck-lister.ts", import.meta.url);
  const prober = new URL("./stuck-prober.ts", import.meta.url);

  it("delays nothing else: the folder is named, and no file in it is missing", {
    tags: ["slow"],
  }, async () => {
    await put("a/stuck/x.nc");
    await put("a/y.nc");
    await put("a/z/z.nc");
    const system = new FileSystem({ timeout: 2000, lister: stuck });
    const begin = performance.now();
    const [found, walked] = await walk(["a"], system);
    expectBelow(performance.now() - begin, 10_000);
    expect(found.map(({ path }) => relative(folder, path))).toEqual(["a/y.nc", "a/z/z.nc"]);
    expect(told).toEqual(["a/stuck: the folder gets no answer from the file system"]);
    expect(walked.listing(join(folder, "a/stuck"))).toBe("unknown");
    await system.close();
  });

  it("keeps the entries below it, and those that are gone elsewhere are found", async () => {
    await put("a/stuck/x.nc");
    await put("a/y.nc");
    const files = ["a/stuck/lost.nc", "a/stuck/too.nc", "a/old.nc"];
    // One stops during the walk, the other one after it. Neither is waited for again.
    const during = new FileSystem({ timeout: 1000, lister: stuck, prober });
    const [, walked] = await walk(["a"], during);
    for (let at = 0; at < 9; at += 1) {
      expect(await goneOf(walked, files, during)).toEqual(["a/old.nc"]);
    }
    await during.close();
    const after = new FileSystem({ timeout: 1000, prober });
    const [, complete] = await walk(["a"], after);
    for (let at = 0; at < 9; at += 1) {
      expect(await goneOf(complete, files, after)).toEqual(["a/old.nc"]);
    }
    await after.close();
    const stays = "2 entries below it stay in the index";
    expect(told).toEqual([
      "a/stuck: the folder gets no answer from the file system",
      ...Array.from({ length: 9 }, () => `a/stuck: was not listed to its end; ${stays}`),
      ...Array.from({ length: 9 }, () => `a/stuck: gets no answer from the file system; ${stays}`),
    ]);
  });

  it("refuses the listed paths on it alone", async () => {
    await put("a/stuck/x.nc");
    await put("a/y.nc");
    const list = ["a/stuck/x.nc", "a/y.nc"].map((path) => `${join(folder, path)}\n`).join("");
    const input = { name: "list", open: () => Readable.from([Buffer.from(list)]) };
    const system = new FileSystem({ timeout: 1000, prober });
    const listed = new ListedPaths(system, report, undefined, new AbortController().signal);
    const found: string[] = [];
    for await (const { path } of listed.files([{ input, isRemoved: false }])) found.push(path);
    expect(found).toEqual([join(folder, "a/y.nc")]);
    expect(told).toEqual(["a/stuck/x.nc: gets no answer from the file system"]);
    await system.close();
  });

  it("ends the walk with a sentence if many folders do not answer", async () => {
    for (let at = 0; at < 12; at += 1) await put(`a/${at}/stuck/x.nc`);
    // Time enough for the folders that do answer, also on a busy machine.
    const system = new FileSystem({ timeout: 1000, lister: stuck });
    await expect(walk(["a"], system)).rejects.toThrow(/does not answer in 8 places/);
    await system.close();
  });

  it("is no folder that takes long to read", async () => {
    await put("a/x.nc");
    await truncate(join(folder, "a/x.nc"), 10);
    // Each entry takes 300 ms, all of them more than the timeout; there are signs of life in between.
    const slow = new URL("./slow-lister.ts", import.meta.url);
    for (let at = 0; at < 8; at += 1) await put(`a/${at}.nc`);
    const system = new FileSystem({ timeout: 2000, lister: slow });
    expect((await walk(["a"], system))[0]).toHaveLength(9);
    await system.close();
  });
});
