/** Locations for programs that read data over HTTP. */
import { basename } from "node:path";
import { datasetId } from "../../../files/zarr/address.js";
import type { SolrDocument } from "../../../index/export/export.js";
import { localPath } from "../../access/local-path.js";
import type { CatalogueSource } from "../catalogue.js";
import { fileAddress } from "./addresses.js";
import { isStore } from "./entries.js";

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
