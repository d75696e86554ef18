/** Entity tags and conditions (RFC 9110, 8.8.3 and 13.1.2). */
import { createHash } from "node:crypto";
import { TimeSlice } from "../../platform/concurrency/time-slices.js";
import { sha256 } from "../../platform/sha256.js";

/**
 * A weak entity tag for a body, given as the pieces of its text (RFC 9110, 8.8.3).
 *
 * It is weak because the bytes differ with the content coding. It is a digest of the body, so it changes with
 * the body and does not depend on the replica that answered.
 */
export async function entityTag(pieces: readonly string[]): Promise<string> {
  const [piece = "", ...more] = pieces;
  if (more.length === 0) return tagOf(sha256(piece));
  const digest = createHash("sha256");
  const slice = new TimeSlice();
  for (const piece of pieces) {
    digest.update(piece);
    if (slice.isOver) await slice.next();
  }
  return tagOf(digest.digest("base64url"));
}

const tagOf = (digest: string): string => `W/"${digest.slice(0, 22)}"`;

/** Whether a condition is met by any entity tag. */
export const isAnyTag = (header: string): boolean => header.trim() === "*";

/** Whether an If-Match header names the tag (RFC 9110, 13.1.1: strong comparison). */
export const matchesStrongly = (header: string, etag: string): boolean =>
  isAnyTag(header) || header.split(",").some((tag) => tag.trim() === etag);

/** Whether an If-None-Match header names the tag (RFC 9110, 13.1.2: weak comparison). */
export function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (isAnyTag(header)) return true;
  const opaque = (tag: string): string => tag.trim().replace(/^W\//, "");
  return header.split(",").some((tag) => opaque(tag) === opaque(etag));
}
