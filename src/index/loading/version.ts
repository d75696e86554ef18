/**
 * Of which dataset a document is, and in which version. A default search finds the newest version of each dataset.
 *
 * Source: search-semantics, "Versions"; the DRS documents of CMIP5 (`v#`, dates) and CMIP6 (`vYYYYMMDD`).
 */
import { createHash } from "node:crypto";
import { datasetId, standardDatasetId } from "../../domain/vocabulary/dataset-id.js";

/** A dataset, and the version of it that a document belongs to, as fields of the index have them. */
export interface DatasetVersion {
  readonly dataset: string;
  /** The dataset and the rank of the version; greater texts are newer versions. */
  readonly version: string;
}

/** Documents without a version: each is a dataset of its own, and always the newest. */
export const UNVERSIONED = "-";

/** Between dataset and rank. A rank does not contain it. */
const JOINT = "@";
/** Longest key in UTF-16 units; Lucene takes terms of 32,766 bytes. */
const MAX_KEY = 8000;
const MAX_RANK = 500;

const DATE = /^v?(\d{4}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))$/i;
const NUMBER = /^v?(\d{1,15})$/i;

/**
 * @param document by native names; values may be lists
 * @returns undefined if it has no version
 */
export function datasetVersion(
  document: Readonly<Record<string, unknown>>,
): DatasetVersion | undefined {
  const file = textOf(document.file);
  const stated = textOf(document.version);
  const folder = versionFolder(file, stated, standardDatasetId(document) !== undefined);
  const text = stated || folder?.name;
  if (!text) return undefined;
  const dataset = shortened(datasetId(document)?.toLowerCase() ?? folderOf(file, folder));
  return { dataset, version: `${dataset}${JOINT}${rankOf(text)}` };
}

/** The dataset of a document's version. */
export const datasetOf = (version: string): string => version.slice(0, version.lastIndexOf(JOINT));

/** The path without its version folder: equal for all versions of one file. */
export function withoutVersion(file: string): string {
  const folder = versionFolder(file, "", false);
  return folder === undefined ? file : cut(file, folder);
}

/** The date in the version folder of a path, such as 20190710; undefined if there is none. */
export const folderVersion = (file: string): string | undefined =>
  DATE.exec(versionFolder(file, "", true)?.name ?? "")?.[1];

/** The first value of a field; empty if it has none. */
const textOf = (value: unknown): string => String((Array.isArray(value) ? value[0] : value) ?? "");

interface Folder {
  readonly name: string;
  /** Index of its first character in the path. */
  readonly at: number;
}

/**
 * The version folder of a path: the one that is named as the field `version`; else the last of v1, v20190710; else, where a bare number
 * is no member, day or year of the dataset, the last of 20190710, and the last of 1.
 *
 * @param isBare whether a bare number can be one: where a standard gives the dataset its name
 */
function versionFolder(file: string, stated: string, isBare: boolean): Folder | undefined {
  const folders: Folder[] = [];
  for (let at = file.indexOf("/") + 1, end = 0; at > 0; at = end + 1) {
    end = file.indexOf("/", at);
    if (end < 0) break;
    if (isVersionName(file, at, end, stated)) folders.push({ name: file.slice(at, end), at });
  }
  const last = (isOne: (name: string) => boolean): Folder | undefined =>
    folders.findLast(({ name }) => isOne(name));
  return (
    last((name) => stated !== "" && bare(name) === bare(stated)) ??
    last((name) => /^v/i.test(name)) ??
    (isBare ? (last((name) => DATE.test(name)) ?? last(() => true)) : undefined)
  );
}

/** Whether a folder can be that of a version; most are told apart by their first character. */
function isVersionName(file: string, at: number, end: number, stated: string): boolean {
  const name = file.slice(at, end);
  if (stated !== "" && bare(name) === bare(stated)) return true;
  const first = file.charCodeAt(at) | 0x20;
  if (first !== 0x76 && (first < 0x30 || first > 0x39)) return false;
  return /^(?:v\d{1,15}|\d{1,3})$/i.test(name) || DATE.test(name);
}

const bare = (text: string): string => text.replace(/^v(?=\d+$)/i, "").toLowerCase();

const cut = (file: string, { at, name }: Folder): string =>
  file.slice(0, at - 1) + file.slice(at + name.length);

function folderOf(file: string, version: Folder | undefined): string {
  const path = version === undefined ? file : cut(file, version);
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** A key that Solr's terms query can name. */
function shortened(key: string): string {
  const text = key.replaceAll(/\p{Cc}/gu, " ");
  return text.length <= MAX_KEY ? text : createHash("sha256").update(text).digest("hex");
}

/** Numbered versions are older than dated ones, and other texts older than both. Numbers in texts compare as numbers. */
function rankOf(version: string): string {
  const date = DATE.exec(version)?.[1];
  if (date !== undefined) return `2${date}`;
  const number = NUMBER.exec(version)?.[1];
  if (number !== undefined) return `1${padded(number)}`;
  const text = version
    .slice(0, MAX_RANK)
    .toLowerCase()
    .replaceAll(/[@\p{Cc}]/gu, " ");
  return `0${text.replaceAll(/\d{1,15}/g, padded)}`;
}

const padded = (digits: string): string => digits.padStart(15, "0");
