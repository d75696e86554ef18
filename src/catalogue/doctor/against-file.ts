/** Compares an entry of the index with the file at its path. */
import { refusalOf } from "../../platform/errors.js";
import type { Measure } from "../../platform/file-system/file-stats.js";
import type { IndexedFile } from "./entry.js";
import type { Inspection } from "./inspect-program.js";
import type { FindingKind, UnknownKind } from "./kinds.js";

export interface Problem {
  readonly kind: FindingKind;
  readonly detail: string;
}

export interface Verdict {
  readonly wrong: readonly Problem[];
  readonly unknown: readonly UnknownKind[];
  /** A missing top folder, which is reported once for all files below it. */
  readonly elsewhere?: string;
}

const GOOD: Verdict = { wrong: [], unknown: [] };
const unknown = (kind: UnknownKind): Verdict => ({ wrong: [], unknown: [kind] });
const wrong = (kind: FindingKind, detail: string): Verdict => ({
  wrong: [{ kind, detail }],
  unknown: [],
});

/**
 * @param seen undefined for paths that cannot be probed
 * @param store total of a zarr store's files, if they were measured
 */
export function compareWithFile(
  entry: IndexedFile,
  seen: Inspection | undefined,
  store: Measure | undefined,
): Verdict {
  if (seen === undefined) return unknown("presence");
  switch (seen.kind) {
    case "gone":
      return compareWithNothing(entry, seen);
    case "refused":
      return wrong("unreadable", `cannot be looked at (${refusalOf(seen)})`);
    case "other":
      return wrong("unreadable", "is neither a file nor a zarr store");
    case "silent":
    case "untried":
      return unknown("silent");
    case "there":
      return compareWithThere(entry, seen.isFolder ? (store ?? { inode: seen.inode }) : seen);
  }
}

function compareWithNothing(
  { file, isArchived }: IndexedFile,
  { isLink, above, isAboveEmpty }: Extract<Inspection, { kind: "gone" }>,
): Verdict {
  if (isLink) return wrong("missing", "is a link that leads nowhere");
  const top = /^\/[^/]+(?=\/)/.exec(file)?.[0];
  const isNowhere = above === "/" && top !== undefined;
  // The mount point of an archive that is not mounted is an empty folder, which says nothing about its files.
  if (isArchived && (isNowhere || isAboveEmpty)) return unknown("presence");
  if (isNowhere) return { ...GOOD, elsewhere: top };
  const parent = file.slice(0, file.lastIndexOf("/")) || "/";
  if (above === parent) return wrong("missing", "is not there");
  const why = isAboveEmpty
    ? "is empty, as where a mount is away"
    : "is all that is there of its path";
  return wrong("missing", `is not there: ${above} ${why}`);
}

function compareWithThere(
  { size, modified, inode, isArchived }: IndexedFile,
  seen: Partial<Measure>,
): Verdict {
  const changes: string[] = [];
  if (size !== undefined && seen.size !== undefined && size !== seen.size) {
    changes.push(`has ${seen.size} bytes instead of ${size}`);
  }
  if (modified !== undefined && seen.modified !== undefined) {
    const isSame = isSameInstant(modified, seen.modified);
    if (!isSame) changes.push(`was changed at ${iso(seen.modified)} instead of ${iso(modified)}`);
  }
  // Archives assign another inode to files recalled from tape.
  if (inode !== undefined && inode !== seen.inode && !isArchived) {
    changes.push(`has the inode ${seen.inode} instead of ${inode}`);
  }
  if (changes.length > 0) return wrong("changed", changes.join(", "));
  const isKnown = size !== undefined && modified !== undefined && seen.size !== undefined;
  return isKnown ? GOOD : unknown("change");
}

/** Foreign catalogues store whole seconds. */
const isSameInstant = (a: number, b: number): boolean =>
  Math.abs(a - b) <= 1 || (a % 1000 === 0 && Math.floor(b / 1000) * 1000 === a);

const iso = (instant: number): string => new Date(instant).toISOString();
