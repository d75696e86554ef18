/** The addresses of files and of their streams, and the names under which files are saved. */
import { PREFIX } from "../../../../generated/prefix.js";
import { STORE_ENDS, type ZarrVersion } from "../../../files/zarr/address.js";

/**
 * A name as a segment of an address, without any character that is special to a shell or to RFC 8187. Lone surrogates
 * have no encoding; they become U+FFFD.
 */
export const segment = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replace(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/**
 * The address of a data set's file.
 *
 * @param api address of the API, with its prefix, without a trailing slash
 * @param name of the file, without its folder
 */
export const fileAddress = (api: string, id: string, name: string): string =>
  `${api}/data-portal/files/${id}/${segment(name)}`;

/** The address of a shared file. @param base the service's own address, as callers see it */
export const sharedFileAddress = (base: string, ticket: string, id: string, name: string): string =>
  `${base}${PREFIX}/data-portal/share/${ticket}/files/${id}/${segment(name)}`;

/** The address of a data set's zarr stream. @param base the service's own address, as callers see it */
export const zarrAddress = (base: string, id: string, version: ZarrVersion = 2): string =>
  `${base}${PREFIX}/data-portal/zarr/${id}${STORE_ENDS[version]}`;

/** The address of a shared stream. */
export const sharedZarrAddress = (
  base: string,
  ticket: string,
  id: string,
  version: ZarrVersion,
): string => `${base}${PREFIX}/data-portal/share/${ticket}/${id}${STORE_ENDS[version]}`;

/** Content-Disposition of a file with any name (RFC 6266, 4.3 and appendix D; RFC 8187). */
export function fileDisposition(name: string): string {
  const plain = name.replace(/[^\w.+=@~-]/g, "_");
  if (plain === name) return `attachment; filename="${name}"`;
  return `attachment; filename="${plain}"; filename*=UTF-8''${segment(name)}`;
}
