/** Groups the documents of a search into the stores that they are joined to. */
import { basename } from "node:path";
import { storedValues, textOf } from "../../domain/completeness/folded-values.js";
import { versionRank } from "../../domain/vocabulary/version-rank.js";
import type { JoinKind } from "../../files/zarr/join/recipe.js";
import type { SolrDocument } from "../../index/export/document-batch.js";
import { folderVersion, rankOf } from "../../index/loading/version.js";
import { groupBy } from "../../platform/group-by.js";
import { localPath } from "../access/local-path.js";

/** The fields of documents by which they are grouped. */
export const JOIN_FIELDS = [
  ...["file", "uri", "format", "fs_type", "dataset_id", "version", "ensemble", "variable"],
  ...["institute", "driving_model", "model", "rcm_name", "rcm_version", "_dataset_version_"],
  ...["time_start", "time_end"],
] as const;

/** The fields whose values differ in the names of datasets that are joined, and those that name a group. */
const DIFFERING: Readonly<Record<Exclude<JoinKind, "dataset">, readonly string[]>> = {
  member: ["ensemble"],
  model: ["institute", "driving_model", "model", "rcm_name", "rcm_version", "ensemble"],
  variables: ["variable"],
};

/** Facets of which the files of a series have one value, also where the names of datasets lack them, as those of CMIP5. */
const OF_SERIES: readonly string[] = ["variable", "ensemble"];

/** A file of a store, as the index has it. */
interface GroupedFile {
  readonly file: string;
  /** Undefined if it is not on this machine: opening the store says so. */
  readonly path: string | undefined;
  readonly group: string;
}

/** Files of one store: a single file is served as it is. */
export interface DocumentGroup {
  readonly name: string;
  readonly files: readonly GroupedFile[];
  /** Sentences about files that are not used. */
  readonly notes: readonly string[];
}

/** Equal for files of one version, and greater for newer ones: by the field, else by the folder, as the index has found it. */
function rank(document: SolrDocument): string {
  const text = textOf(document, "version");
  return text === "" ? rankOf(textOf(document, "_dataset_version_")) : versionRank(text);
}

/**
 * The stores of documents, in the order of the first document of each. Several versions never mix: the newest of those found
 * is used. Of copies of a file, one on a file system is preferred to one in an archive.
 */
export function joinedGroups(documents: readonly SolrDocument[], kind: JoinKind): DocumentGroup[] {
  const placed = documents.map((document) => ({ document, ...placeOf(document, kind) }));
  return [...groupBy(placed, ({ name }) => name)].map(([name, those]) => {
    const notes: string[] = [];
    const files = [...groupBy(those, ({ label }) => label)].flatMap(([label, own]) => {
      const ofGroup = own.map(({ document }) => document);
      return filesOf(ofGroup, label, notes);
    });
    return { name, files, notes };
  });
}

/** The store of a document, and its group within it. */
function placeOf(
  document: SolrDocument,
  kind: JoinKind,
): { readonly name: string; readonly label: string } {
  const id = textOf(document, "dataset_id");
  const isStore =
    textOf(document, "format").toLowerCase() === "zarr" || String(document.file).endsWith(".zarr");
  // Files without a dataset are joined to nothing.
  if (id === "" || isStore) return { name: String(document.file), label: "" };
  // A file with many variables is one of a series of such files.
  const only = (field: string): string =>
    storedValues(document, field).length === 1 ? textOf(document, field) : "";
  const differing = kind === "dataset" ? [] : DIFFERING[kind];
  const labels: string[] = [];
  let dotted = `.${id}.`;
  for (const field of differing) {
    const text = textOf(document, field);
    const at = text === "" ? -1 : dotted.lastIndexOf(`.${text}.`);
    if (at >= 0) dotted = `${dotted.slice(0, at)}.*${dotted.slice(at + 1 + text.length)}`;
    if (at >= 0 && field !== "institute") labels.push(text);
    if (at < 0 && OF_SERIES.includes(field)) labels.push(only(field));
  }
  for (const field of OF_SERIES) {
    const text = differing.includes(field) ? "" : only(field);
    if (text !== "" && !dotted.includes(`.${text}.`)) dotted += `${text}.`;
  }
  return { name: dotted.slice(1, -1), label: labels.filter((label) => label !== "").join(".") };
}

/** The version as people write it. */
const nameOf = (document: SolrDocument): string =>
  textOf(document, "version") || (folderVersion(String(document.file)) ?? "unknown");

/** A file of a dataset, which may be there several times. */
interface Candidate {
  readonly file: string;
  readonly path: string | undefined;
  readonly name: string;
  /** "" if it is unknown. */
  readonly period: string;
  readonly isDisk: boolean;
}

/** Files without their copies. Folders for each year may have files with the same name that are not copies. */
class DistinctFiles {
  readonly files: Candidate[] = [];
  readonly #names = new Set<string>();
  readonly #withoutPeriod = new Set<string>();
  readonly #periods = new Set<string>();

  /** Files on disks come first. @returns false for a copy of a file that was added */
  add(file: Candidate): boolean {
    const { name, period, isDisk } = file;
    const isSame = period !== "" && this.#periods.has(`${name}/${period}`);
    // A file in an archive is a copy of one on a disk unless their periods differ.
    const onDisk = period === "" ? this.#names : this.#withoutPeriod;
    if (isSame || (!isDisk && onDisk.has(name))) return false;
    this.files.push(file);
    if (period !== "") this.#periods.add(`${name}/${period}`);
    if (isDisk) this.#names.add(name);
    if (isDisk && period === "") this.#withoutPeriod.add(name);
    return true;
  }
}

function filesOf(
  documents: readonly SolrDocument[],
  group: string,
  notes: string[],
): GroupedFile[] {
  const names = new Map(documents.map((document) => [rank(document), nameOf(document)]));
  const [newest = "", ...older] = [...names.keys()].sort().reverse();
  if (older.length > 0) {
    const others = older.map((one) => names.get(one)).join(", ");
    notes.push(`Version ${names.get(newest)} is used, and not ${others}.`);
  }
  const candidates: Candidate[] = [];
  for (const document of documents) {
    const path = localPath(document);
    if (rank(document) !== newest) continue;
    const file = String(document.file);
    const fs = textOf(document, "fs_type");
    const isDisk = path !== undefined && (fs === "" || fs === "posix");
    const ends = ["time_start", "time_end"].map((field) => textOf(document, field));
    const period = ends.join(" ").trim();
    candidates.push({ file, path, name: basename(path ?? file), period, isDisk });
  }
  const distinct = new DistinctFiles();
  for (const one of candidates.sort((a, b) => Number(b.isDisk) - Number(a.isDisk))) {
    if (!distinct.add(one)) notes.push(`${one.name} is there twice, and used once.`);
    else if (one.path === undefined)
      notes.push(`${one.name} is not on this machine, so the store cannot be opened.`);
  }
  const order = ({ name, path, file }: Candidate): string => `${name}/${path ?? file}`;
  return distinct.files
    .sort((a, b) => (order(a) < order(b) ? -1 : 1))
    .map(({ file, path }) => ({ file, path, group }));
}
