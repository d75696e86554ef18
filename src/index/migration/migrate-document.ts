/** Converts a document of the former release to this one. */
import { derivedDetails } from "../../domain/vocabulary/derived-details.js";
import { COMPUTED } from "../collections/configset.js";
import type { MigratedDocument, WholeDocument } from "./copy-documents.js";

/**
 * When a version was issued, ISO 8601: its upper bits are the milliseconds of Solr's clock
 * (org.apache.solr.update.VersionInfo.getNewClock).
 */
export const instantOf = (version: string): string =>
  new Date(Number(BigInt(version) >> 20n)).toISOString();

/** Keeps all fields, and adds those that are new in this release. */
export function migrateDocument(
  document: WholeDocument,
  newest: ReadonlySet<string> | undefined,
): MigratedDocument {
  const written = instantOf(document._version_);
  const kept = Object.fromEntries(
    Object.entries(document).filter(([name]) => !COMPUTED.includes(name)),
  );
  // The text as given; `time` is Solr's rendering of the range.
  const time = document.time_raw ?? document.time;
  return {
    // The last write is the earliest known time.
    ...{ added: written, updated: written },
    ...kept,
    ...(time !== undefined && { time }),
    ...derivedDetails(document, time),
    // User data are always the newest version.
    ...(newest && { latest: document.user !== undefined || newest.has(document.file) }),
    file: document.file,
    _copied_version_: document._version_,
  };
}
