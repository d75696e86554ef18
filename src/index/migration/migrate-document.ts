/** A document of the former release as one of this. */
import { derivedDetails } from "../../domain/vocabulary/derived-details.js";
import { COMPUTED } from "../collections/configset.js";
import type { Lifted, Whole } from "./copy-documents.js";

/**
 * When a version was given out, ISO 8601: its upper bits are the milliseconds of Solr's clock
 * (org.apache.solr.update.VersionInfo.getNewClock).
 */
export const momentOf = (version: string): string =>
  new Date(Number(BigInt(version) >> 20n)).toISOString();

/** Keeps all that a document has, and adds what this release knows of it besides. */
export function liftDocument(document: Whole): Lifted {
  const written = momentOf(document._version_);
  const kept = Object.fromEntries(
    Object.entries(document).filter(([name]) => !COMPUTED.includes(name)),
  );
  // As it was written; the range is Solr's reading of it.
  const time = document.time_raw ?? document.time;
  return {
    // The time at which it was written last is the earliest that is known of.
    ...{ added: written, updated: written },
    ...kept,
    ...(time !== undefined && { time }),
    ...derivedDetails(document, time),
    file: document.file,
    _copied_version_: document._version_,
  };
}
