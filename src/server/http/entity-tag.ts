/**
 * A weak entity tag for a JSON body, given as its text (RFC 9110, 8.8.3).
 *
 * It is weak because the bytes differ with the content coding. It is a digest of the body, so it changes with
 * the body and does not depend on the replica that answered.
 */
import { sha256 } from "../../platform/sha256.js";
export function entityTag(text: string): string {
  const digest = sha256(text);
  return `W/"${digest.slice(0, 22)}"`;
}

/** Whether an If-None-Match header names the tag (RFC 9110, 13.1.2: weak comparison). */
export function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === "*") return true;
  const opaque = (tag: string): string => tag.trim().replace(/^W\//, "");
  return header.split(",").some((tag) => opaque(tag) === opaque(etag));
}
