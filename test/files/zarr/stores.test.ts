/** Consolidated metadata that are made for stores that have none: all of a store, or an error. */
import { mkdirSync, writeFileSync } from "node:fs";
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Dataset } from "../../../src/files/zarr/dataset/dataset.js";
import { Datasets } from "../../../src/files/zarr/dataset/datasets.js";
import { freshFolder } from "../../support/run/folders.js";
import { use } from "../../support/run/use.js";
import { makeFiles } from "./files.js";

const files = use(() => makeFiles("stores"));
const folder = freshFolder();
const datasets = new Datasets();

afterAll(() => datasets.close());

const failure = (kind: string) => expect.objectContaining({ kind });
const open = (name: string): Promise<Dataset> => datasets.open(files.path(name));

/** A copy of a store that a test may change. */
async function copyOf(name: string): Promise<string> {
  const path = join(await mkdtemp(join(folder, "copy-")), name);
  await cp(files.path(name), path, { recursive: true });
  return path;
}

async function documentOf(path: string, key: string): Promise<{ text: string; tag: string }> {
  const content = await (await datasets.open(path)).content(key);
  if (content.kind !== "document") throw new Error(`${key} is ${content.kind}`);
  return content;
}

describe("a store without consolidated metadata", () => {
  it("has .zmetadata of all documents in v2, letter by letter", async () => {
    const { text } = await documentOf(files.path("bare2.zarr"), ".zmetadata");
    const keys = [".zattrs", ".zgroup", "sub group/below/.zgroup", "sub group/below/v/.zarray"];
    for (const key of keys) {
      expect(text).toContain(`${JSON.stringify(key)}:`);
      expect(text).toContain(await readFile(files.path(`bare2.zarr/${key}`), "utf8"));
    }
    expect(text).toContain('"one": 1.0');
    expect(text).toContain('"large": 4611686018427387905');
    expect(text).toContain('"none": NaN');
  });

  it("has one for each group in v2, and none elsewhere", async () => {
    const path = files.path("bare2.zarr");
    const { text } = await documentOf(path, "sub group/below/.zmetadata");
    const { metadata } = JSON.parse(text) as { metadata: object };
    expect(Object.keys(metadata)).toEqual([
      ".zattrs",
      ".zgroup",
      "v/.zarray",
      "v/.zattrs",
      "x/.zarray",
      "x/.zattrs",
    ]);
    const dataset = await datasets.open(path);
    for (const key of ["v/.zmetadata", "none/.zmetadata"]) {
      const nothing = { kind: "absent", reason: "no-such-document" };
      expect(await dataset.content(key), key).toEqual(nothing);
    }
    for (const key of ["x/../.zmetadata", "../v3.zarr/.zmetadata"])
      expect(await dataset.content(key), key).toEqual({ kind: "unknown-key" });
  });

  it("has them in the zarr.json of each group in v3, as zarr-python 3 writes them", async () => {
    const parse = (text: string): unknown => JSON.parse(text.replaceAll("NaN,", "null,"));
    const bare = parse(
      (await documentOf(files.path("bare3.zarr"), "zarr.json")).text.replaceAll(
        "Infinity,",
        "null,",
      ),
    );
    const root = parse(
      (await readFile(files.path("root3.zarr/zarr.json"), "utf8")).replaceAll("Infinity,", "null,"),
    );
    expect(bare).toEqual(root);
    const { text } = await documentOf(files.path("root3.zarr"), "sub group/below/zarr.json");
    const { consolidated_metadata: below } = JSON.parse(text) as {
      consolidated_metadata: { metadata: object };
    };
    expect(Object.keys(below.metadata).sort()).toEqual(["v", "x"]);
  });

  it("has a summary", async () => {
    const dataset = await open("bare2.zarr");
    expect((await dataset.summary()).groups.map(({ path }) => path).sort()).toEqual([
      "",
      "sub group",
      "sub group/below",
    ]);
  });

  it("is read as what it is after it was written anew in the other format", async () => {
    const path = await copyOf("bare2.zarr");
    expect((await (await datasets.open(path)).content("x/.zarray")).kind).toBe("range");
    for (const name of await readdir(path)) await rm(join(path, name), { recursive: true });
    await cp(files.path("bare3.zarr"), path, { recursive: true });
    expect((await (await datasets.open(path)).content("v/zarr.json")).kind).toBe("range");
    expect((await documentOf(path, "zarr.json")).text).toContain("consolidated_metadata");
  });

  it("gets another tag when something is added, and only then", async () => {
    const path = await copyOf("bare2.zarr");
    const first = await documentOf(path, ".zmetadata");
    expect((await documentOf(path, ".zmetadata")).tag).toBe(first.tag);
    await cp(join(path, "v"), join(path, "w"), { recursive: true });
    const second = await documentOf(path, ".zmetadata");
    expect(second.tag).not.toBe(first.tag);
    expect(second.text).toContain('"w/.zarray":');
  });
});

it("the store's own consolidated metadata pass unchanged", async () => {
  for (const [name, key] of [
    ["v2.zarr", ".zmetadata"],
    ["root2.zarr", ".zmetadata"],
    ["bare2.zarr", "v/.zarray"],
    ["bare2.zarr", "v/0.0"],
    ["v3.zarr", "zarr.json"],
    ["root3.zarr", "zarr.json"],
    ["bare3.zarr", "v/zarr.json"],
    ["bare3.zarr", "v/c/0/0"],
  ] as const) {
    const content = await (await open(name)).content(key);
    if (content.kind !== "range") throw new Error(`${name} ${key} is ${content.kind}`);
    const own = await readFile(files.path(`${name}/${key}`));
    expect(Buffer.compare(await datasets.read(content.range), own), `${name} ${key}`).toBe(0);
  }
});

describe("links and odd stores", () => {
  it("links within a store are followed, but not in a circle, and not out of it", async () => {
    const path = await copyOf("bare2.zarr");
    await symlink("v", join(path, "same"));
    await symlink("..", join(path, "sub group", "up"));
    await symlink(path, join(path, "sub group", "below", "root"));
    await symlink("sub group", join(path, "again"));
    await symlink(files.path("plain2.zarr"), join(path, "outside"));
    await symlink("nothing", join(path, "dangling"));
    await symlink("itself", join(path, "itself"));
    const { text } = await documentOf(path, ".zmetadata");
    expect(text).toContain('"same/.zarray":');
    expect(text).toContain('"again/below/v/.zarray":');
    for (const odd of ["/up/", "/root/", "outside/", "dangling/", "itself/"])
      expect(text).not.toContain(odd);
  });

  it("groups that link to each other end", async () => {
    const path = await copyOf("bare2.zarr");
    await symlink("../../sub group", join(path, "sub group", "below", "back"));
    const { text } = await documentOf(path, ".zmetadata");
    expect(text).not.toContain("below/back/below");
  });

  it.each([
    ["bare2.zarr", "sub group/below/x/.zattrs", ".zmetadata", "{"],
    ["bare2.zarr", "v/.zarray", ".zmetadata", ""],
    ["bare2.zarr", ".zattrs", ".zmetadata", "[]"],
    ["bare3.zarr", "sub group/below/x/zarr.json", "zarr.json", '{"a": nan}'],
  ])("%s with a damaged %s is refused, not shown in part", async (name, damaged, key, text) => {
    const path = await copyOf(name);
    await writeFile(join(path, damaged), text);
    const dataset = await datasets.open(path);
    await expect(dataset.content(key)).rejects.toEqual(failure("damaged-file"));
  });

  it.skipIf(process.getuid?.() === 0)("a folder that may not be read is an error", async () => {
    const path = await copyOf("bare2.zarr");
    await chmod(join(path, "sub group"), 0o000);
    const dataset = await datasets.open(path);
    await expect(dataset.content(".zmetadata")).rejects.toEqual(failure("file-unreachable"));
    await chmod(join(path, "sub group"), 0o755);
  });

  it("more arrays than the maximum are an error", async () => {
    const path = join(folder, "many.zarr");
    await mkdir(path);
    await writeFile(join(path, ".zgroup"), '{"zarr_format":2}');
    for (let i = 0; i < 10_001; i++) {
      mkdirSync(join(path, `a${i}`));
      writeFileSync(join(path, `a${i}`, ".zarray"), "{}");
    }
    const dataset = await datasets.open(path);
    // On a slow machine time is over first.
    const kind: unknown = expect.stringMatching(/^(too-large|reading-timeout)$/);
    await expect(dataset.content(".zmetadata")).rejects.toMatchObject({ kind });
  });

  it("endlessly nested groups are an error", async () => {
    const path = join(folder, "deep.zarr");
    await mkdir(join(path, ...Array<string>(40).fill("g")), { recursive: true });
    for (let depth = 0; depth <= 40; depth++) {
      const group = join(path, ...Array<string>(depth).fill("g"));
      await writeFile(join(group, ".zgroup"), '{"zarr_format":2}');
    }
    const dataset = await datasets.open(path);
    await expect(dataset.content(".zmetadata")).rejects.toEqual(failure("too-large"));
  });

  it("the chunks of an array are not listed, however many folders they are in", async () => {
    const path = await copyOf("plain2.zarr");
    await mkdir(join(path, "a", "7"));
    await writeFile(join(path, "a", "7", ".zgroup"), "not read");
    const { text } = await documentOf(path, ".zmetadata");
    expect(text).not.toContain("a/7");
  });
});
