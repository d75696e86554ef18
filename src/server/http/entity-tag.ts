/**
 * A weak entity tag for a JSON body, given as its text (RFC 9110, 8.8.3).
 *
 * Weak, because the bytes differ with the content coding. Made from the body itself, so that it can
 * neither miss a change nor depend on which replica of the index answered.
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
