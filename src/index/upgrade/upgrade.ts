/**
 * Upgrades the index of an earlier generation while nothing else uses it: copies every document into a new index beside it, which then
 * takes its place in one step. An interrupted upgrade begins again.
 *
 * Generations before 3 have the newest versions in a second collection, `latest`. Its documents get the mark.
 */
import { derivedDetails } from "../../domain/vocabulary/derived-details.js";
import {
  inspectCollection,
  inspectCollections,
  OutdatedCollection,
} from "../collections/collections.js";
import { COMPUTED, FILES, FORMER_LATEST } from "../collections/configset.js";
import { SetupError } from "../collections/setup-error.js";
import { exportSorted } from "../export/sorted-export.js";
import {
  documentsOf,
  makeVisible,
  type StoredDocument,
  select,
  UPDATE_TIMEOUT as timeoutMs,
} from "../loading/lookups.js";
import { completeMarks } from "../loading/marks/complete-marks.js";
import { MARK_FIELDS } from "../loading/marks/write-marks.js";
import { datasetVersion, UNVERSIONED } from "../loading/version.js";
import { SolrCollection } from "../transport/client.js";
import type { SolrHttp } from "../transport/http.js";

/** Makes the new index in a Solr, and replaces the former one by it. */
export interface UpgradeTarget {
  /** Makes an empty index, after it has removed an unfinished one. @returns its name */
  makeIndex(): Promise<string>;
  /** Makes the new index `files`. @returns where the former one is kept */
  switchOver(target: string): Promise<readonly string[]>;
}

/** Documents in one request */
const BATCH = 2000;
/** Documents after which the progress is reported. */
const REPORTED = 20_000;

/**
 * @param report receives lines about the progress, and one for each document that the new index refuses
 * @returns where the former index is kept; undefined if the index is not of an earlier generation
 * @throws SetupError: one sentence that names the obstacle
 */
export async function upgrade(
  http: SolrHttp,
  into: UpgradeTarget,
  report: (line: string) => void,
): Promise<readonly string[] | undefined> {
  if (!(await isOutdated(http))) return undefined;
  const target = await into.makeIndex();
  await makeVisible(http);
  const before = await extentOf(http, FILES);
  const { read, copied } = await copyAll(http, target, before.numFound, report);
  await makeVisible(http, target);
  // The former index may have the marks of other versions, or none.
  await completeMarks(http, { collection: target });
  await new SolrCollection(http, target).commit(false, { timeoutMs });
  await makeVisible(http);
  const [after, made] = [await extentOf(http, FILES), await extentOf(http, target)];
  // Solr leaves some documents of two shards out of the number that it finds.
  const isSame =
    read >= before.numFound && after.numFound === before.numFound && after.newest === before.newest;
  if (!isSame || made.numFound !== copied || !(await isOutdated(http))) {
    throw new SetupError(
      `The new index has ${made.numFound} of ${copied} documents, and the former one ${isSame ? "is unchanged" : "was written meanwhile"}. Stop every service and crawler, and run this again.`,
    );
  }
  return into.switchOver(target);
}

/** @throws SetupError if the index is missing or of a later generation */
const isOutdated = ({ endpoint }: SolrHttp): Promise<boolean> =>
  inspectCollections(endpoint, [FILES]).then(
    () => false,
    (error: unknown) => {
      if (error instanceof OutdatedCollection) return true;
      throw error;
    },
  );

/** The number of documents, and the highest version: together they show every write. */
async function extentOf(http: SolrHttp, collection: string) {
  const newest = { q: "*:*", rows: "1", fl: "file,_version_", sort: "_version_ desc" };
  const { numFound, docs } = await select(http, collection, new URLSearchParams(newest));
  return { numFound, newest: docs[0]?._version_ };
}

/**
 * @returns the number of documents that were read, and of those that were copied: one of two shards once
 * @throws SetupError if the new index refuses some, which would be lost
 */
async function copyAll(
  http: SolrHttp,
  target: string,
  total: number,
  report: (line: string) => void,
): Promise<{ readonly read: number; readonly copied: number }> {
  const hasLatest = (await inspectCollection(http.endpoint, FORMER_LATEST)) !== undefined;
  const to = new SolrCollection(http, target);
  let [read, done, refused] = [0, 0, 0];
  const copy = async (files: readonly string[]): Promise<void> => {
    const newest = hasLatest ? new Set<string>() : undefined;
    if (newest !== undefined) {
      for await (const { file } of documentsOf(http, files, ["file"], FORMER_LATEST))
        newest.add(file);
    }
    const texts: string[] = [];
    for await (const document of documentsOf(http, files, ["*", "_version_"])) {
      texts.push(JSON.stringify(migrated(document, newest)));
    }
    const options = { timeoutMs, idempotent: true };
    for (const { id, message } of await to.updateTolerantly(`[${texts.join(",")}]`, options)) {
      refused += 1;
      report(`${id}: refused: ${message}`);
    }
    done += files.length;
    if (done % REPORTED === 0) report(`${done} of ${total} documents are copied.`);
  };
  let files: string[] = [];
  let last: unknown;
  const sorted = { fields: ["file"], by: ["file"] };
  for await (const documents of exportSorted(http, { filters: [] }, sorted)) {
    read += documents.length;
    for (const { file } of documents) {
      // Two shards of a former collection may have the same document.
      if (file !== last) files.push(String(file));
      last = file;
      if (files.length < BATCH) continue;
      await copy(files);
      files = [];
    }
  }
  if (files.length > 0) await copy(files);
  if (refused === 0) return { read, copied: done };
  throw new SetupError(
    `The new index refuses ${refused} documents; the former one is unchanged. Correct or delete them there with the former release, and run this again.`,
  );
}

const NOT_KEPT = new Set<string>([...COMPUTED, ...MARK_FIELDS, "_copied_version_", "drs_key"]);

/**
 * A document with all its fields, and those that are new in this generation.
 *
 * @param newest files among the newest versions; undefined if the documents have marks
 */
function migrated(document: StoredDocument, newest: ReadonlySet<string> | undefined): object {
  // The last write is the earliest known time: the upper bits of its version (org.apache.solr.update.VersionInfo.getNewClock).
  const written = new Date(Math.floor(Number(document._version_) / 2 ** 20)).toISOString();
  const kept = Object.entries(document).filter(([name]) => !NOT_KEPT.has(name));
  const of = document.user === undefined ? datasetVersion(document) : undefined;
  // The text as given; `time` is Solr's rendering of the range.
  const time = document.time_raw ?? document.time;
  return {
    added: written,
    updated: written,
    ...Object.fromEntries(kept),
    ...(time !== undefined && { time }),
    ...derivedDetails(document, time),
    // User data and documents without a version are always the newest. The marks of others are completed afterwards.
    latest: of === undefined || (newest?.has(document.file) ?? document.latest === true),
    _dataset_: of?.dataset ?? UNVERSIONED,
    _dataset_version_: of?.version ?? UNVERSIONED,
  };
}
