/**
 * A zarr v2 or v3 store in a folder: its own keys, its own bytes, and consolidated metadata where it
 * has none.
 */
import type { BigIntStats } from "node:fs";
import { opendir, readdir, readFile, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import type { Content, Dataset } from "./dataset.js";
import {
  asReadingError,
  FileChanged,
  FileGone,
  FileUnreachable,
  NotReadableFormat,
  TooLarge,
} from "./errors.js";
import { fileIdentity, keyTag, textTag } from "./file-identity.js";
import { joinKey, nameOf, parentOf } from "./keys.js";
import {
  consolidatedVersion2,
  consolidatedVersion3,
  documentsBelow,
  type Folder,
  parseObject,
  type StoreFiles,
} from "./store-metadata.js";
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

/** More members than a group has that somebody browses. */
const MOST_ENTRIES = 100_000;

const ABSENT = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG"]);

const isAbsence = (error: unknown): boolean =>
  error instanceof Error && "code" in error && ABSENT.has(String(error.code));

export type StoreFormat = "zarr v2" | "zarr v3";

/** What store a folder is, by the names in it: group, array or consolidated metadata; undefined: none. */
export function storeFormat(names: readonly string[]): StoreFormat | undefined {
  if (names.includes("zarr.json")) return "zarr v3";
  const isStore = [".zgroup", ".zarray", ".zmetadata"].some((name) => names.includes(name));
  return isStore ? "zarr v2" : undefined;
}

export class ZarrStore implements Dataset {
  private constructor(
    readonly path: string,
    readonly format: StoreFormat,
  ) {}

  /** @throws NotReadableFormat when the folder is no zarr store, FileGone, FileUnreachable */
  static async open(path: string): Promise<ZarrStore> {
    try {
      const root = await realpath(path);
      const format = storeFormat(await readdir(root));
      if (format !== undefined) return new ZarrStore(root, format);
    } catch (error) {
      throw asReadingError(error);
    }
    throw new NotReadableFormat("This folder is not a zarr store.");
  }

  tag(_key: string): undefined {
    return undefined;
  }

  /**
   * The file of a key: undefined when there is none.
   *
   * @throws FileUnreachable when a link leads out of the store: as absent, a chunk would be filled
   */
  private async find(
    key: string,
  ): Promise<{ readonly path: string; readonly stats: BigIntStats } | undefined> {
    if (!isPlain(key)) return undefined;
    try {
      const path = await realpath(join(this.path, key));
      if (path !== this.path && !path.startsWith(this.path + sep)) {
        throw new FileUnreachable("A link in the store leads out of it.");
      }
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
    const made = await this.made(key);
    if (made !== undefined) return { kind: "document", text: made, tag: textTag(made) };
    return this.stored(key);
  }

  /** The same for what lies in the store as it is given: nothing is parsed. */
  async stored(key: string): Promise<Content> {
    const found = await this.find(key);
    if (found === undefined) {
      const isChunk = isPlain(key) && !DOCUMENTS.has(nameOf(key));
      return isChunk ? { kind: "absent", reason: "unwritten-chunk" } : NO_SUCH_KEY;
    }
    const identity = fileIdentity(found.stats);
    const range = { path: found.path, identity, offset: 0, length: identity.size };
    return { kind: "range", range, tag: keyTag(identity, key) };
  }

  async document(key: string): Promise<string | undefined> {
    if (!DOCUMENTS.has(nameOf(key))) return undefined;
    return (await this.made(key)) ?? this.text(key);
  }

  /** Consolidated metadata where the store's own documents have none; undefined for other keys. */
  async made(key: string): Promise<string | undefined> {
    if (!isPlain(key)) return undefined;
    const group = parentOf(key);
    if (nameOf(key) === "zarr.json") {
      const found = await this.find(key);
      const isLong = found === undefined || found.stats.size > LONGEST_DOCUMENT;
      return isLong ? undefined : consolidatedVersion3(this.files, group);
    }
    if (nameOf(key) !== ".zmetadata" || (await this.find(key)) !== undefined) return undefined;
    const isGroup = (await this.find(joinKey(group, ".zgroup"))) !== undefined;
    return isGroup ? consolidatedVersion2(this.files, group) : undefined;
  }

  private readonly files: StoreFiles = {
    text: (key) => this.text(key),
    folders: (key) => this.folders(key),
  };

  /** The text of a document as it lies in the store. */
  private async text(key: string): Promise<string | undefined> {
    const found = await this.find(key);
    if (found === undefined) return undefined;
    if (found.stats.size > LONGEST_DOCUMENT) throw new TooLarge("A zarr document is too large.");
    try {
      return await readFile(found.path, "utf8");
    } catch (error) {
      throw isAbsence(error) ? new FileChanged("The store was changed.") : asReadingError(error);
    }
  }

  private async folders(key: string): Promise<Folder[]> {
    const folders: Folder[] = [];
    const path = join(this.path, key);
    let seen = 0;
    try {
      for await (const entry of await opendir(path)) {
        seen += 1;
        if (seen > MOST_ENTRIES) throw new TooLarge("A group of the store has too many members.");
        if (!entry.isDirectory() && !entry.isSymbolicLink()) continue;
        const real = await this.realFolder(join(path, entry.name));
        if (real !== undefined) folders.push({ name: entry.name, real });
      }
    } catch (error) {
      throw isAbsence(error) ? new FileChanged("The store was changed.") : asReadingError(error);
    }
    return folders;
  }

  /** A folder's path, links resolved; undefined for what is none, or is not in the store. */
  private async realFolder(path: string): Promise<string | undefined> {
    try {
      const real = await realpath(path);
      const isInside = real.startsWith(this.path + sep);
      return isInside && (await stat(real)).isDirectory() ? real : undefined;
    } catch (error) {
      const isCircle = error instanceof Error && "code" in error && error.code === "ELOOP";
      if (isAbsence(error) || isCircle) return undefined;
      throw error;
    }
  }

  async keys(): Promise<string[]> {
    const documents = [...(await this.documents()).keys()];
    const groups = documents.filter((key) => nameOf(key) === ".zgroup");
    return [...groups.map((key) => key.replace(/zgroup$/, "zmetadata")), ...documents];
  }

  /** All documents: those that are consolidated where there are such, or else those of the folders. */
  private async documents(): Promise<Map<string, string>> {
    const isNew = this.format === "zarr v3";
    const key = isNew ? "zarr.json" : ".zmetadata";
    const text = await this.text(key);
    const root = text === undefined ? {} : parseObject(key, text);
    const holder = isNew ? root.consolidated_metadata : root;
    const members = isObject(holder) ? holder.metadata : undefined;
    if (!isObject(members)) return documentsBelow(this.files, "", isNew ? 3 : 2);
    const own = isNew && text !== undefined ? [[key, text] as const] : [];
    const others = Object.entries(members).map(
      ([name, value]) => [isNew ? `${name}/zarr.json` : name, JSON.stringify(value)] as const,
    );
    return new Map([...own, ...others]);
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
