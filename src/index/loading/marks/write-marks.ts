/** Writes the marks of documents that are in the index: whether they are of the newest version of their dataset. */
import { batchesOf } from "../../../platform/concurrency/time-slices.js";
import { COMPUTED } from "../../collections/configset.js";
import { SolrUnavailable } from "../../errors.js";
import { SolrCollection } from "../../transport/client.js";
import type { SolrHttp } from "../../transport/http.js";
import { UPDATE_TIMEOUT } from "../lookups.js";
import { type DatasetVersion, datasetVersion, UNVERSIONED } from "../version.js";

/** Documents per request. */
const BATCH = 1000;
/** Attempts to write documents that others keep changing. */
const MAX_ATTEMPTS = 20;

/** The fields of a document that say whether default searches find it. */
export interface Mark {
  readonly latest: boolean;
  /** Versions of its dataset that default searches leave out, marked or not. */
  readonly replaces: readonly string[];
}

export const NEWEST: Mark = { latest: true, replaces: [] };
export const OLDER: Mark = { latest: false, replaces: [] };

type Document = Readonly<Record<string, unknown>> & {
  readonly file: string;
  readonly _version_: string;
};

/** The new mark of a document; undefined to leave it as it is. */
type MarkOf = (document: Document) => Mark | undefined;

/**
 * Writes marks into stored documents, which otherwise stay the same. Documents that are gone are left out.
 *
 * Not an atomic update of Solr: it would lose the fields that the configset computes.
 */
export async function writeMarks(
  http: SolrHttp,
  collection: string,
  files: Iterable<string>,
  markOf: MarkOf,
): Promise<void> {
  const solr = new SolrCollection(http, collection);
  const options = { timeoutMs: UPDATE_TIMEOUT };
  for (const some of batchesOf([...files], BATCH)) {
    for (let attempts = 0; ; attempts += 1) {
      if (attempts === MAX_ATTEMPTS) throw new SolrUnavailable("documents keep changing");
      const documents = await solr.get<Document>(some, undefined, options);
      const texts = documents.flatMap((document) => {
        const mark = markOf(document);
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
    document._dataset_ !== undefined &&
    [...(hidden ?? [])].sort().join("\n") === [...replaces].sort().join("\n")
  );
}

/** The document as JSON with another mark, on condition that it has not changed. */
function markedText(document: Document, mark: Mark): string {
  const kept = Object.entries(document).filter(([name]) => !NOT_KEPT.has(name));
  const time = document.time_raw ?? document.time;
  const text = JSON.stringify({ ...Object.fromEntries(kept), ...(time !== undefined && { time }) });
  const of = document.user === undefined ? datasetVersion(document) : undefined;
  return `{"_version_":${document._version_},${markFields(mark, of)},${text.slice(1)}`;
}

/** The fields of a mark, as JSON without braces. @param of undefined for documents without a version */
export function markFields({ latest, replaces }: Mark, of: DatasetVersion | undefined): string {
  const { dataset, version } = of ?? { dataset: UNVERSIONED, version: UNVERSIONED };
  return (
    `"latest":${latest},"_dataset_":${JSON.stringify(dataset)},"_dataset_version_":${JSON.stringify(version)}` +
    (replaces.length > 0 ? `,"_replaces_":${JSON.stringify(replaces)}` : "")
  );
}

/** The fields that this module writes. */
export const MARK_FIELDS = ["latest", "_dataset_", "_dataset_version_", "_replaces_"] as const;

const NOT_KEPT = new Set<string>([...COMPUTED, ...MARK_FIELDS, "time"]);
