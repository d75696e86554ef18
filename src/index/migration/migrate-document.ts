/** Converts a document of the former release to this one. */
import { derivedDetails } from "../../domain/vocabulary/derived-details.js";
import { COMPUTED } from "../collections/configset.js";
import { MARK_FIELDS } from "../loading/marks/write-marks.js";
import { datasetVersion, UNVERSIONED } from "../loading/version.js";
import type { MigratedDocument, WholeDocument } from "./copy-documents.js";

/**
 * When a version was issued, ISO 8601: its upper bits are the milliseconds of Solr's clock
 * (org.apache.solr.update.VersionInfo.getNewClock).
 */
export const instantOf = (version: string): string =>
  new Date(Number(BigInt(version) >> 20n)).toISOString();

const NOT_KEPT = new Set<string>([...COMPUTED, ...MARK_FIELDS, "drs_key"]);

/** Keeps all fields, and adds those that are new in this release. */
export function migrateDocument(
  document: WholeDocument,
  newest: ReadonlySet<string> | undefined,
): MigratedDocument {
  const written = instantOf(document._version_);
  const kept = Object.fromEntries(Object.entries(document).filter(([name]) => !NOT_KEPT.has(name)));
  const isPublic = document.user === undefined;
  const of = isPublic ? datasetVersion(document) : undefined;
  // The text as given; `time` is Solr's rendering of the range.
  const time = document.time_raw ?? document.time;
  return {
    // The last write is the earliest known time.
    ...{ added: written, updated: written },
    ...kept,
    ...(time !== undefined && { time }),
    ...derivedDetails(document, time),
    // User data and documents without a version are always the newest. The marks of others are completed afterwards.
    latest: of === undefined || (newest?.has(document.file) ?? document.latest === true),
    _dataset_: of?.dataset ?? UNVERSIONED,
    _dataset_version_: of?.version ?? UNVERSIONED,
    file: document.file,
    _copied_version_: document._version_,
  };
}
