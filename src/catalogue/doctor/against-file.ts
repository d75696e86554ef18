/** An entry of the index against what lies at its path. Pure. */
import type { Measure } from "../../platform/file-system/file-stats.js";
import type { Entry } from "./entry.js";
import type { Inspection } from "./inspect-program.js";
import type { FindingKind, UnknownKind } from "./kinds.js";

/** What is wrong with one file. */
export interface Wrong {
  readonly kind: FindingKind;
  readonly detail: string;
}

export interface Verdict {
  readonly wrong: readonly Wrong[];
  readonly unknown: readonly UnknownKind[];
  /** A folder of which this is told once, whatever lies below it. */
  readonly elsewhere?: string;
}

const GOOD: Verdict = { wrong: [], unknown: [] };
const unknown = (kind: UnknownKind): Verdict => ({ wrong: [], unknown: [kind] });
const wrong = (kind: FindingKind, detail: string): Verdict => ({
  wrong: [{ kind, detail }],
  unknown: [],
});

/**
 * @param seen undefined where nothing can be looked at
 * @param store what the files of a zarr store are together, where that was looked at
 */
export function compareWithFile(
  entry: Entry,
  seen: Inspection | undefined,
  store: Measure | undefined,
): Verdict {
  if (seen === undefined) return unknown("presence");
  switch (seen.kind) {
    case "gone":
      return compareWithNothing(entry, seen);
    case "refused":
      return wrong("unreadable", `cannot be looked at (${seen.code})`);
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
  { file, isArchived }: Entry,
  { isLink, above, isAboveEmpty }: Extract<Inspection, { kind: "gone" }>,
): Verdict {
  if (isLink) return wrong("missing", "is a link that leads nowhere");
  const top = /^\/[^/]+(?=\/)/.exec(file)?.[0];
  const isNowhere = above === "/" && top !== undefined;
  // An archive that is not mounted here says nothing of its files; its mount point is an empty folder.
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
  { size, modified, inode, isArchived }: Entry,
  seen: Partial<Measure>,
): Verdict {
  const changes: string[] = [];
  if (size !== undefined && seen.size !== undefined && size !== seen.size) {
    changes.push(`has ${seen.size} bytes instead of ${size}`);
  }
  if (modified !== undefined && seen.modified !== undefined) {
    const isSame = isSameMoment(modified, seen.modified);
    if (!isSame) changes.push(`was changed at ${iso(seen.modified)} instead of ${iso(modified)}`);
  }
  // An archive gives a file that comes back from tape another one.
  if (inode !== undefined && inode !== seen.inode && !isArchived) {
    changes.push(`has the inode ${seen.inode} instead of ${inode}`);
  }
  if (changes.length > 0) return wrong("changed", changes.join(", "));
  const isKnown = size !== undefined && modified !== undefined && seen.size !== undefined;
  return isKnown ? GOOD : unknown("change");
}

/** Catalogues of others know whole seconds. */
const isSameMoment = (a: number, b: number): boolean =>
  Math.abs(a - b) <= 1 || (a % 1000 === 0 && Math.floor(b / 1000) * 1000 === a);

const iso = (moment: number): string => new Date(moment).toISOString();
