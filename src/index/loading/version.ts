/**
 * The dataset and the version of a document. A default search finds the newest version of each dataset.
 *
 * Source: search-semantics, "Versions".
 */
import { createHash } from "node:crypto";
import { textOf } from "../../domain/completeness/folded-values.js";
import { generalDatasetId, standardDatasetId } from "../../domain/vocabulary/dataset-id.js";
import { DATED, NUMBERED, versionRank } from "../../domain/vocabulary/version-rank.js";

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

/**
 * @param document by native names; values may be lists
 * @returns undefined if it has no version
 */
export function datasetVersion(
  document: Readonly<Record<string, unknown>>,
): DatasetVersion | undefined {
  const file = textOf(document, "file");
  const stated = textOf(document, "version");
  const standard = standardDatasetId(document);
  const from = endOfRun(file, document);
  const folder = versionFolder(file, stated, standard !== undefined, from);
  const text = stated || folder?.name;
  if (!text) return undefined;
  const name = standard ?? generalDatasetId(document);
  const dataset = shortened(name?.toLowerCase() ?? folderOf(file, folder));
  return { dataset, version: `${dataset}${JOINT}${versionRank(text)}` };
}

/** The dataset of a document's version. */
export const datasetOf = (version: string): string => version.slice(0, version.lastIndexOf(JOINT));

/** The rank of a document's version within its dataset: greater texts are newer versions. */
export const rankOf = (version: string): string => version.slice(version.lastIndexOf(JOINT) + 1);

/** The path without its version folder: equal for all versions of one file. */
export function withoutVersion(file: string): string {
  const folder = versionFolder(file, "", false);
  return folder === undefined ? file : cut(file, folder);
}

/** The date in the version folder of a path, such as 20190710 of v20190710; undefined if there is none. */
export const folderVersion = (file: string): string | undefined =>
  DATED.exec(versionFolder(file, "", false)?.name ?? "")?.[1];

interface Folder {
  readonly name: string;
  /** Index of its first character in the path. */
  readonly at: number;
}

/**
 * The version folder of a path: the one that is named as the field `version`; else the last of v1, v20190710; else, where a bare number
 * is no member, day or year of the dataset, the last of 20190710, or of 1.
 *
 * @param isBare whether a bare number can be one: where a standard gives the dataset its name
 * @param from where the search for other names than that of the field begins
 */
function versionFolder(
  file: string,
  stated: string,
  isBare: boolean,
  from = 0,
): Folder | undefined {
  const named = stated === "" ? undefined : folderNamed(file, stated);
  if (named !== undefined) return named;
  for (const form of isBare ? [V_FOLDER, DATE_FOLDER, NUMBER_FOLDER] : [V_FOLDER]) {
    const [before, name] = form.exec(file.slice(from)) ?? [];
    if (before !== undefined && name !== undefined)
      return { name, at: from + before.length - name.length - 1 };
  }
  return undefined;
}

/**
 * The index of the folder of the frequency in a regional path; 0 for other paths. The version before it is that of the regional run,
 * not of the dataset.
 */
function endOfRun(file: string, document: Readonly<Record<string, unknown>>): number {
  const frequency = textOf(document, "time_frequency");
  if (textOf(document, "rcm_version") === "" || frequency === "") return 0;
  return Math.max(0, file.lastIndexOf(`/${frequency}/`));
}

/** The last folders of these forms. A number of four digits is a year. */
const V_FOLDER = /^.*\/(v\d{1,15})\//is;
const DATE_FOLDER = /^.*\/(\d{4}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))\//s;
const NUMBER_FOLDER = /^.*\/(\d{1,3})\//s;

/** The last folder with the name of a version, with or without `v` before a number. */
function folderNamed(file: string, version: string): Folder | undefined {
  const [, number] = NUMBERED.exec(version) ?? [];
  const names = number === undefined ? [version] : [number, `v${number}`, `V${number}`];
  const found = names
    .map((name) => ({ name, at: file.lastIndexOf(`/${name}/`) + 1 }))
    .filter(({ at }) => at > 0);
  return found.sort((one, other) => other.at - one.at)[0];
}

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
