/**
 * Identifiers of data sets, which are part of their zarr addresses.
 *
 * A UUID of version 8 (RFC 9562, 5.8) from the MD5 of `file`: equal in all instances and after restarts, without a
 * registry. Solr stores the MD5 as `file_digest`, also for documents that a crawler posts. An identifier lacks six bits
 * of it, so a lookup tries all 64 values.
 */
import { hash } from "node:crypto";

/** The MD5 as Solr's MD5Signature computes it for `file`: over the field's name and value. */
const digestOf = (file: string): string => hash("md5", `file${file}`, "hex");

export const datasetId = (file: string): string => uuidOf(digestOf(file), 8);

/** A UUID from a digest of at least 32 hexadecimal digits. */
export function uuidOf(digest: string, version: 5 | 8): string {
  const variant = (0x8 | (Number.parseInt(digest.charAt(16), 16) & 0x3)).toString(16);
  const hex = `${digest.slice(0, 12)}${version}${digest.slice(13, 16)}${variant}${digest.slice(17, 32)}`;
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** The versions of zarr as which a data set is served, with the ends of the names of their stores. */
export const STORE_ENDS = { 2: ".zarr", 3: ".zarr3" } as const;

export type ZarrVersion = keyof typeof STORE_ENDS;

/** The identifier from the name of a store, `<uuid>.zarr` or `<uuid>.zarr3`. */
export const idOf = (store: string): string => store.replace(/\.zarr3?$/, "");

export const versionOf = (store: string): ZarrVersion => (store.endsWith(STORE_ENDS[3]) ? 3 : 2);

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const HEX = [..."0123456789abcdef"];

/** The digests that an identifier may stand for; none if it is not one of this service. */
export function digestsOf(id: string): string[] {
  if (!ID.test(id)) return [];
  const hex = id.replaceAll("-", "");
  const variants = HEX.filter(
    (digit) => (Number.parseInt(digit, 16) & 0x3) === (Number.parseInt(hex.charAt(16), 16) & 0x3),
  );
  return HEX.flatMap((version) =>
    variants.map(
      (variant) => `${hex.slice(0, 12)}${version}${hex.slice(13, 16)}${variant}${hex.slice(17)}`,
    ),
  );
}
