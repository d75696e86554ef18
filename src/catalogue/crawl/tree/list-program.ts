/** Lists folders for a crawl, a part at a time; see FileSystem. One thread has one folder open. */
import { isUtf8 } from "node:buffer";
import { type Dirent, lstatSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { STORE_MARKS } from "../../../files/zarr/store/format.js";
import {
  type BytesFolder,
  isNowhere,
  type Measure,
  measureOf,
  openBytesFolder,
} from "../../../platform/file-system/file-stats.js";
import { answerQuestions, heartbeat, reasonOf } from "../../../platform/workers/worker-program.js";
import { isData } from "./found-file.js";

/** An entry of a folder. Hidden names and files that are not data are left out. */
export type FolderEntry =
  | { readonly name: string; readonly kind: "folder" }
  /** A link to a folder, and that folder's path without links. */
  | { readonly name: string; readonly kind: "link"; readonly real: string }
  /** A file; `real` is its path without links if the entry is a link. Without `measured` all numbers are 0. */
  | ({ readonly name: string; readonly kind: "file"; readonly real?: string } & Measure)
  /** A name that is not UTF-8; each byte is the character of its number. */
  | { readonly name: string; readonly kind: "no-text" }
  /** Named as data, but a pipe, a socket or a device. */
  | { readonly name: string; readonly kind: "no-file" }
  | {
      readonly name: string;
      readonly kind: "unreadable";
      readonly code: string;
      readonly isLink: boolean;
    };

export interface Portion {
  readonly entries: readonly FolderEntry[];
  /** Names that only zarr stores have; the first portion of a long folder has all of them. */
  readonly markers: readonly string[];
  readonly done: boolean;
  /** Whether all names until here are hidden. */
  readonly isEmpty: boolean;
}

/** `list` opens a folder, `more` reads on in it, `close` leaves it. */
export type ListQuestion =
  | {
      readonly kind: "list";
      readonly path: string;
      readonly max: number;
      readonly measured: boolean;
    }
  | { readonly kind: "more"; readonly max: number }
  | { readonly kind: "close" };

interface Listing {
  readonly path: string;
  readonly folder: BytesFolder;
  /** Whether size, time and inode of files are wanted. */
  readonly measured: boolean;
  readonly markers: string[];
  /** Whether all names until here are hidden. */
  isEmpty: boolean;
}

const DOT = 46;
let listing: Listing | undefined;

function close(): void {
  listing?.folder.closeSync();
  listing = undefined;
}

function answer(question: ListQuestion): Portion | undefined {
  if (question.kind !== "more") close();
  if (question.kind === "close") return undefined;
  if (question.kind === "list") return list(question);
  if (listing === undefined) throw new Error("no folder is open");
  return portion(listing, question.max);
}

function list({ path, max, measured }: Extract<ListQuestion, { kind: "list" }>): Portion {
  listing = { path, measured, folder: openBytesFolder(path), markers: [], isEmpty: true };
  const first = portion(listing, max);
  if (first.done) return first;
  // In a folder of millions the marks of a store may come last.
  return {
    ...first,
    markers: [...first.markers, ...STORE_MARKS.filter((name) => isAt(path, name))],
  };
}

function isAt(path: string, name: string): boolean {
  try {
    lstatSync(join(path, name));
    return true;
  } catch {
    return false;
  }
}

function portion(from: Listing, max: number): Portion {
  const entries: FolderEntry[] = [];
  while (entries.length < max) {
    heartbeat();
    const entry = from.folder.readSync();
    if (entry === null) {
      close();
      return { entries, markers: from.markers, done: true, isEmpty: from.isEmpty };
    }
    from.isEmpty &&= entry.name[0] === DOT;
    const known = describe(entry, from);
    if (known !== undefined) entries.push(known);
  }
  return { entries, markers: from.markers, done: false, isEmpty: from.isEmpty };
}

/** Undefined for hidden names and for files that are not data. */
function describe(
  entry: Dirent<Buffer>,
  { path, measured, markers }: Listing,
): FolderEntry | undefined {
  if (!isUtf8(entry.name)) return { name: entry.name.toString("latin1"), kind: "no-text" };
  const name = entry.name.toString("utf8");
  if (STORE_MARKS.includes(name)) markers.push(name);
  if (name.startsWith(".")) return undefined;
  const whole = join(path, name);
  try {
    if (entry.isDirectory()) return { name, kind: "folder" };
    if (entry.isSymbolicLink()) return describeLink(name, whole);
    if (!isData(name)) return undefined;
    if (!entry.isFile()) return { name, kind: "no-file" };
    if (!measured) return { name, kind: "file", size: 0, modified: 0, inode: "" };
    return { name, kind: "file", ...measureOf(lstatSync(whole, { bigint: true })) };
  } catch (error) {
    // A file can vanish after its folder was read. A dangling link is reported.
    if (isNowhere(error) && !entry.isSymbolicLink()) return undefined;
    return { name, kind: "unreadable", code: reasonOf(error), isLink: entry.isSymbolicLink() };
  }
}

function describeLink(name: string, whole: string): FolderEntry | undefined {
  const stats = statSync(whole, { bigint: true });
  if (stats.isDirectory()) return { name, kind: "link", real: realpathSync.native(whole) };
  if (!isData(name)) return undefined;
  if (!stats.isFile()) return { name, kind: "no-file" };
  return { name, kind: "file", real: realpathSync.native(whole), ...measureOf(stats) };
}

answerQuestions(answer);
