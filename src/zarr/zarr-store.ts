/** A zarr v2 or v3 store in a folder: its own keys, its own bytes. */
import type { BigIntStats } from "node:fs";
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import type { Content, Dataset } from "./dataset.js";
import { asReadingError, FileChanged, FileGone, NotReadableFormat, TooLarge } from "./errors.js";
import { fileIdentity, keyTag } from "./file-identity.js";
import { isObject, parseDocument, type Summary, summarize } from "./summary.js";

/** Documents above this many bytes are not read as documents; they are sent as ranges all the same. */
export const LONGEST_DOCUMENT = 64 << 20;
const DOCUMENTS = new Set([".zmetadata", ".zgroup", ".zattrs", ".zarray", "zarr.json"]);

const NO_SUCH_KEY: Content = { kind: "absent", reason: "no-such-key" };

/** A key whose parts are names, and nothing that leads out of the store. */
function isPlain(key: string): boolean {
  if (key === "" || key.length > 4096 || /[\0\\]/.test(key)) return false;
  return key.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}

const ABSENT = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG"]);

const isAbsence = (error: unknown): boolean =>
  error instanceof Error && "code" in error && ABSENT.has(String(error.code));

export class ZarrStore implements Dataset {
  private constructor(
    readonly path: string,
    readonly format: "zarr v2" | "zarr v3",
  ) {}

  /** @throws NotReadableFormat when the folder is no zarr store, FileGone, FileUnreachable */
  static async open(path: string): Promise<ZarrStore> {
    try {
      const root = await realpath(path);
      const names = new Set(await readdir(root));
      if (names.has("zarr.json")) return new ZarrStore(root, "zarr v3");
      if ([".zgroup", ".zarray", ".zmetadata"].some((name) => names.has(name))) {
        return new ZarrStore(root, "zarr v2");
      }
    } catch (error) {
      throw asReadingError(error);
    }
    throw new NotReadableFormat("This folder is not a zarr store.");
  }

  tag(_key: string): undefined {
    return undefined;
  }

  /** The file of a key: undefined when there is none, or when a link leads out of the store. */
  private async find(
    key: string,
  ): Promise<{ readonly path: string; readonly stats: BigIntStats } | undefined> {
    if (!isPlain(key)) return undefined;
    try {
      const path = await realpath(join(this.path, key));
      if (!path.startsWith(this.path + sep)) return undefined;
      const stats = await stat(path, { bigint: true });
      return stats.isFile() ? { path, stats } : undefined;
    } catch (error) {
      if (!isAbsence(error)) throw asReadingError(error);
    }
    // A store that went away as a whole is gone; it must not read as chunks nobody wrote.
    try {
      await stat(this.path);
    } catch (error) {
      throw isAbsence(error)
        ? new FileGone("The store is not there any more.", { cause: error })
        : asReadingError(error);
    }
    return undefined;
  }

  async content(key: string): Promise<Content> {
    const found = await this.find(key);
    if (found === undefined) {
      const last = key.slice(key.lastIndexOf("/") + 1);
      const isChunk = isPlain(key) && !DOCUMENTS.has(last);
      return isChunk ? { kind: "absent", reason: "unwritten-chunk" } : NO_SUCH_KEY;
    }
    const identity = fileIdentity(found.stats);
    const range = { path: found.path, identity, offset: 0, length: identity.size };
    return { kind: "range", range, tag: keyTag(identity, key) };
  }

  async document(key: string): Promise<string | undefined> {
    if (!DOCUMENTS.has(key.slice(key.lastIndexOf("/") + 1))) return undefined;
    const found = await this.find(key);
    if (found === undefined) return undefined;
    if (found.stats.size > LONGEST_DOCUMENT) throw new TooLarge("A zarr document is too large.");
    try {
      return await readFile(found.path, "utf8");
    } catch (error) {
      throw isAbsence(error) ? new FileChanged("The store was changed.") : asReadingError(error);
    }
  }

  async keys(): Promise<string[]> {
    return [...(await this.documents()).keys()];
  }

  /** All documents: those that are consolidated where there are such, or else those of the folders. */
  private async documents(): Promise<Map<string, string>> {
    const documents = new Map<string, string>();
    const metadata = await this.document(".zmetadata");
    const members = metadata === undefined ? undefined : parseDocument(metadata).metadata;
    if (isObject(members)) {
      for (const [key, value] of Object.entries(members)) documents.set(key, JSON.stringify(value));
      return documents;
    }
    await this.gather("", 0, documents);
    return documents;
  }

  private async gather(folder: string, depth: number, into: Map<string, string>): Promise<void> {
    if (depth > 8 || into.size > 10_000) return;
    const within = (name: string): string => (folder === "" ? name : `${folder}/${name}`);
    const entries = await readdir(join(this.path, folder), { withFileTypes: true });
    const names = new Set(entries.map(({ name }) => name));
    for (const name of DOCUMENTS) {
      if (!names.has(name) || name === ".zmetadata") continue;
      const text = await this.document(within(name));
      if (text !== undefined) into.set(within(name), text);
    }
    const node = into.get(within("zarr.json"));
    const isArray =
      names.has(".zarray") || (node !== undefined && parseDocument(node).node_type === "array");
    // The folders below an array are chunks.
    if (isArray) return;
    for (const entry of entries) {
      if (entry.isDirectory()) await this.gather(within(entry.name), depth + 1, into);
    }
  }

  async summary(): Promise<Summary> {
    const documents = await this.documents();
    return summarize(this.format, undefined, asVersion2(documents));
  }
}

/** Documents of zarr v3 in the words of v2, as far as a summary needs them. */
function asVersion2(documents: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const result = new Map<string, string>();
  for (const [key, text] of documents) {
    if (!key.endsWith("zarr.json")) {
      result.set(key, text);
      continue;
    }
    const base = key.slice(0, -"zarr.json".length);
    const node = parseDocument(text);
    const attributes = isObject(node.attributes) ? node.attributes : {};
    if (node.node_type !== "array") {
      result.set(`${base}.zgroup`, "{}");
      result.set(`${base}.zattrs`, JSON.stringify(attributes));
      continue;
    }
    const grid = isObject(node.chunk_grid) ? node.chunk_grid.configuration : undefined;
    const codecs = Array.isArray(node.codecs) ? node.codecs : [];
    const filters = codecs.flatMap((codec) => (isObject(codec) ? [{ id: codec.name }] : []));
    const array = {
      shape: node.shape,
      chunks: isObject(grid) ? grid.chunk_shape : [],
      dtype: node.data_type,
      filters,
    };
    result.set(`${base}.zarray`, JSON.stringify(array));
    const dimensions = { _ARRAY_DIMENSIONS: node.dimension_names ?? [] };
    result.set(`${base}.zattrs`, JSON.stringify({ ...attributes, ...dimensions }));
  }
  return result;
}
