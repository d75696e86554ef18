/**
 * Plans the marks of the versions of one file: exactly one public document, the newest, has `latest`.
 *
 * Solr cannot change two documents in one step, and may show any state in between. So the version that is found is first made
 * to hide the others (`_replaces_`), which default searches then leave out (`newest` in lucene.ts). Behind it, the newest one
 * gets its mark. The last write takes the mark of the former one, and reveals the newest. After each write, searches find
 * exactly one version.
 */
import type { IndexedVersion } from "../indexed-versions.js";
import { compareRanks, type Rank } from "../version.js";

/** The fields of a document that say its place among the versions of its file. */
export interface Mark {
  readonly latest: boolean;
  /** The documents that it hides. */
  readonly replaces: readonly string[];
}

/** By file. */
export type Marks = ReadonlyMap<string, Mark>;

/** A document that is about to be written. */
export interface IncomingVersion {
  readonly file: string;
  readonly rank: Rank;
  readonly isPublic: boolean;
}

/** The steps of a change. Each must be stored before the next one begins. */
export const STEPS = ["hold", "write", "release"] as const;

/** The changes of one file's versions. Documents that leave are deleted after `write`. */
export interface MarkPlan extends Readonly<Record<(typeof STEPS)[number], Marks>> {
  /** In the index: the version that is found until the change is complete. */
  readonly hold: Marks;
  /** New documents, and documents that are hidden or not found. */
  readonly write: Marks;
  readonly release: Marks;
}

const NEWEST: Mark = { latest: true, replaces: [] };
const OLDER: Mark = { latest: false, replaces: [] };
const NONE: Marks = new Map();

/**
 * @param present the indexed documents under one key
 * @param incoming documents under the same key that replace or join them
 * @param leaving documents that are deleted
 */
export function planMarks(
  present: readonly IndexedVersion[],
  incoming: readonly IncomingVersion[] = [],
  leaving: ReadonlySet<string> = new Set(),
): MarkPlan {
  const [only, second] = incoming;
  if (present.length === 0 && only !== undefined && second === undefined) return newFile(only);
  const arrives = new Map(incoming.map((one) => [one.file, one]));
  const stays = present.filter(({ file }) => !arrives.has(file) && !leaving.has(file));
  const newest = newestOf([
    ...stays.filter(({ isPublic }) => isPublic).sort(byMark),
    ...incoming.filter(({ isPublic }) => isPublic),
  ])?.file;
  const marked = present.filter(({ isPublic, isMarked }) => isPublic && isMarked === true);
  const hidden = new Set(present.flatMap(({ replaces }) => replaces));
  const found = marked.find(({ file }) => !hidden.has(file))?.file;
  const others = marked.map(({ file }) => file).filter((file) => file !== found);
  const isOdd = others.length > 0 || hidden.size > 0;
  const hold = new Map<string, Mark>();
  if (found !== undefined && newest !== undefined && (found !== newest || others.length > 0)) {
    const behind = found === newest ? others : [...new Set([...others, newest])];
    hold.set(found, { latest: true, replaces: behind });
  }
  // With other marks around, the document that is found comes last, else the newest one.
  const last = found ?? newest;
  const isLast = (file: string): boolean => file === last && (isOdd || hold.size > 0);
  const [write, release] = [new Map<string, Mark>(), new Map<string, Mark>()];
  for (const { file, isPublic } of incoming) {
    const mark = file === newest || !isPublic ? NEWEST : OLDER;
    (isLast(file) ? release : write).set(file, mark);
  }
  for (const { file, isPublic, isMarked, replaces } of present) {
    if (arrives.has(file)) continue;
    const mark = file === newest || !isPublic ? NEWEST : OLDER;
    const isRight = isMarked === mark.latest && replaces.length === 0 && !hold.has(file);
    // A document that leaves only has to hide nothing.
    if (isRight || (leaving.has(file) && (isLast(file) || !isOdd))) continue;
    (isLast(file) ? release : write).set(file, mark);
  }
  return { hold, write, release };
}

/** The plan of nearly all documents of a first load. */
const newFile = ({ file }: IncomingVersion): MarkPlan => ({
  ...{ hold: NONE, write: new Map([[file, NEWEST]]), release: NONE },
});

/** The newest version; the last one of several equal ones. */
function newestOf<T extends { readonly rank: Rank }>(versions: readonly T[]): T | undefined {
  return versions.reduce<T | undefined>(
    (best, one) => (best !== undefined && compareRanks(best.rank, one.rank) > 0 ? best : one),
    undefined,
  );
}

/** Orders equal versions: the marked one comes last, so that it stays the newest. */
const byMark = (a: IndexedVersion, b: IndexedVersion): number =>
  Number(a.isMarked === true) - Number(b.isMarked === true) || (a.file < b.file ? -1 : 1);
