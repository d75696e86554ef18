/** Marks the newest version of each file, in documents that are already in the index. */
import { batchesOf } from "../../../platform/concurrency/time-slices.js";
import { COMPUTED, FILES } from "../../collections/configset.js";
import { SolrUnavailable } from "../../errors.js";
import { SolrCollection } from "../../transport/client.js";
import type { SolrHttp } from "../../transport/http.js";
import { filesOf, indexedVersions, makeVisible, UPDATE_TIMEOUT } from "../indexed-versions.js";
import { drsKey } from "../version.js";
import { wronglyMarked } from "./check-marks.js";
import { type Mark, type MarkPlan, type Marks, planMarks, STEPS } from "./mark-plan.js";

/** Documents per request. */
const BATCH = 1000;
/** Documents without a mark that are marked before the next commit. */
const MAX_UNMARKED = 20_000;
/** Attempts to write documents that others keep changing. */
const MAX_ATTEMPTS = 20;

/** Documents that `completeMarks` has to examine. */
const INCOMPLETE = "(*:* -latest:*) _replaces_:*";

type Document = Readonly<Record<string, unknown>> & {
  readonly file: string;
  readonly _version_: string;
};

/**
 * Marks what has no mark, completes the marks of interrupted loads, and corrects those of files of which several versions are
 * marked, or none.
 *
 * @returns the number of documents whose marks were written
 * @throws SolrUnavailable, SolrTimeout
 */
export async function completeMarks(
  http: SolrHttp,
  onProgress: (documents: number) => void = () => {},
): Promise<number> {
  let all = 0;
  let before = "";
  for (;;) {
    const files = await filesOf(http, INCOMPLETE, MAX_UNMARKED);
    const isComplete = files.length === 0;
    const keys = isComplete ? await wronglyMarked(http, MAX_UNMARKED) : files.map(drsKey);
    const now = JSON.stringify([isComplete, keys]);
    if (keys.length === 0) return all;
    if (now === before) {
      // Without a route, the marked version of a file may be in another shard than those that seem to lack it.
      if (isComplete) return all;
      throw new SolrUnavailable("documents cannot be marked");
    }
    before = now;
    all += await settleMarks(http, keys);
    await makeVisible(http);
    onProgress(all);
  }
}

/**
 * Corrects the marks of all visible documents under the keys.
 *
 * @param collection that of the catalogue, or another one of this generation
 * @returns the number of documents whose marks changed
 * @throws SolrUnavailable, SolrTimeout
 */
export async function settleMarks(
  http: SolrHttp,
  keys: Iterable<string>,
  collection: string = FILES,
): Promise<number> {
  const changed = new Set<string>();
  for (const some of batchesOf([...new Set(keys)], MAX_UNMARKED)) {
    const plans = [...(await indexedVersions(http, some, collection)).values()].map((one) =>
      planMarks(one),
    );
    for (const step of STEPS) {
      const marks = marksOf(plans, step);
      await writeMarks(http, marks, collection);
      for (const file of marks.keys()) changed.add(file);
    }
  }
  return changed.size;
}

/** One step of several plans. */
export const marksOf = (plans: Iterable<MarkPlan>, step: (typeof STEPS)[number]): Marks =>
  new Map([...plans].flatMap((plan) => [...plan[step]]));

/**
 * Writes marks into stored documents, which otherwise stay the same. Documents that are gone are left out.
 *
 * Not an atomic update of Solr: it would lose the fields that the configset computes.
 *
 * @throws SolrUnavailable, SolrTimeout
 */
export async function writeMarks(
  http: SolrHttp,
  marks: Marks,
  collection: string = FILES,
): Promise<void> {
  const solr = new SolrCollection(http, collection);
  const options = { timeoutMs: UPDATE_TIMEOUT };
  for (const files of batchesOf([...marks.keys()], BATCH)) {
    for (let attempts = 0; ; attempts += 1) {
      if (attempts === MAX_ATTEMPTS) throw new SolrUnavailable("documents keep changing");
      const documents = await solr.get<Document>(files, undefined, options);
      const texts = documents.flatMap((document) => {
        const mark = marks.get(document.file);
        return mark === undefined || hasMark(document, mark) ? [] : [markedText(document, mark)];
      });
      if (texts.length === 0) break;
      const again = { ...options, idempotent: true };
      const errors = await solr.updateTolerantly(`[${texts.join(",")}]`, again);
      const other = errors.find(({ message }) => !/version conflict for /.test(message));
      if (other !== undefined) throw new SolrUnavailable(`${other.id}: ${other.message}`);
      // Else every document is stored; what Solr may have lost is read again.
      if (errors.length === 0 && !solr.mayLose) break;
    }
  }
}

function hasMark(document: Document, { latest, replaces }: Mark): boolean {
  const hidden = document._replaces_ as readonly string[] | undefined;
  return (
    document.latest === latest &&
    [...(hidden ?? [])].sort().join("\n") === [...replaces].sort().join("\n")
  );
}

/** The document as JSON with another mark, on condition that it has not changed. */
function markedText(document: Document, mark: Mark): string {
  const kept = Object.entries(document).filter(([name]) => !NOT_KEPT.has(name));
  const time = document.time_raw ?? document.time;
  const text = JSON.stringify({ ...Object.fromEntries(kept), ...(time !== undefined && { time }) });
  return `{"_version_":${document._version_},${markFields(mark)},${text.slice(1)}`;
}

/** The fields of a mark, as JSON without braces. */
export const markFields = ({ latest, replaces }: Mark): string =>
  `"latest":${latest}${replaces.length > 0 ? `,"_replaces_":${JSON.stringify(replaces)}` : ""}`;

/** The fields of a mark. */
export const MARK_FIELDS = ["latest", "_replaces_"] as const;

/** A copy stays one for `solr upgrade`: its content is the same. */
const COMPUTED_ANEW = COMPUTED.filter((name) => name !== "_copied_version_");
const NOT_KEPT = new Set<string>([...COMPUTED_ANEW, ...MARK_FIELDS, "time"]);
