/**
 * The addresses of files and of their streams, and the names under which files are saved. `base` is the service's own address, as
 * callers see it, and `api` is that with the prefix of the API; neither ends with a slash.
 */
import { basename } from "node:path";
import { PREFIX } from "../../../../generated/prefix.js";
import { datasetId, STORE_ENDS, type ZarrVersion } from "../../../files/zarr/address.js";
import type { SolrDocument } from "../../../index/export/document-batch.js";
import { localPath } from "../../access/local-path.js";
import type { CatalogueSource } from "../catalogue.js";
import { isStore } from "./entries.js";

export const apiRoot = (base: string): string => base + PREFIX;

/**
 * A name as a segment of an address, without any character that is special to a shell or to RFC 8187. Lone surrogates
 * have no encoding; they become U+FFFD.
 */
export const segment = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replace(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** The address of a data set's file. @param name of the file, without its folder */
export const fileAddress = (api: string, id: string, name: string): string =>
  `${api}/data-portal/files/${id}/${segment(name)}`;

/** The fields that `httpLocation` needs beside the key. */
export const LOCATION_FIELDS = ["file", "uri", "format"] as const;

/** The address of a file or of a store's stream; the location itself if the data are not on this machine. */
export function httpLocation(
  document: SolrDocument,
  { api, key, stream }: CatalogueSource,
): string {
  const path = localPath(document);
  if (path === undefined) return String(document[key]);
  const file = String(document.file);
  if (isStore(document, path)) return stream(file);
  return fileAddress(api, datasetId(file), basename(path));
}

export const sharedFileAddress = (base: string, ticket: string, id: string, name: string): string =>
  `${apiRoot(base)}/data-portal/share/${ticket}/files/${id}/${segment(name)}`;

export const zarrAddress = (base: string, id: string, version: ZarrVersion = 2): string =>
  `${apiRoot(base)}/data-portal/zarr/${id}${STORE_ENDS[version]}`;

export const sharedZarrAddress = (
  base: string,
  ticket: string,
  id: string,
  version: ZarrVersion,
): string => `${apiRoot(base)}/data-portal/share/${ticket}/${id}${STORE_ENDS[version]}`;

/** Content-Disposition of a file with any name (RFC 6266, 4.3 and appendix D; RFC 8187). */
export function fileDisposition(name: string): string {
  const plain = name.replace(/[^\w.+=@~-]/g, "_");
  if (plain === name) return `attachment; filename="${name}"`;
  return `attachment; filename="${plain}"; filename*=UTF-8''${segment(name)}`;
}
