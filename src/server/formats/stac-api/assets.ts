/** The files of a dataset as assets of its item. */
import { basename } from "node:path";
import { type Document, storedValues, textOf } from "../../../domain/completeness/folded-values.js";
import { literally } from "../../../domain/search/lucene.js";
import type { ItemFacts } from "../../../domain/stac/item-facts.js";
import { fileName } from "../../../domain/text/file-name.js";
import { MEDIA_TYPES, STREAMED } from "../../../domain/vocabulary/data-formats.js";
import { datasetId } from "../../../files/zarr/address.js";
import { groupBy } from "../../../platform/group-by.js";
import { localPath } from "../../access/local-path.js";
import { apiRoot, fileAddress, zarrAddress } from "../download/addresses.js";
import { isStore } from "../download/entries.js";

/** The codes and lengths of multihashes (multiformats table), in hexadecimal. */
const MULTIHASH: Readonly<Record<string, string>> = {
  md5: "d50110",
  sha1: "1114",
  sha256: "1220",
  sha384: "2030",
  sha512: "1340",
};

/** A checksum as a multihash; undefined if its algorithm has no code. */
function multihash(checksum: string): string | undefined {
  const [algorithm = "", digits = ""] = checksum.split(":");
  const start = MULTIHASH[algorithm];
  return start === undefined ? undefined : start + digits;
}

const nameOf = (document: Document): string => fileName(textOf(document, "file"));

const isOnDisk = (document: Document): boolean =>
  textOf(document, "fs_type").toLowerCase() === "posix";

const locationOf = (document: Document): string =>
  textOf(document, "uri") || textOf(document, "file");

/** The address that downloads a file; undefined for stores, and for data that are not on this machine's disks. */
function downloadOf(document: Document, base: string): string | undefined {
  const path = localPath(document);
  if (path === undefined || !isOnDisk(document) || isStore(document, path)) return undefined;
  return fileAddress(apiRoot(base), datasetId(textOf(document, "file")), basename(path));
}

/** A path of at most this many characters without those that file 2.1.0 forbids. */
const LOCAL_PATH = /^[^'":\\<>|?*\p{C}]{1,1000}$/u;

/** The file's path in a local copy, with a folder for each part of the dataset's name. */
function localPathOf(document: Document, facts: ItemFacts): string | undefined {
  const folders = [...facts.name.split("."), textOf(document, "version")].filter(Boolean);
  const path = [...folders, nameOf(document)].join("/");
  const isRelative = !path.split("/").some((part) => part === "" || part === "." || part === "..");
  return LOCAL_PATH.test(path) && isRelative ? path : undefined;
}

const NETCDF = "application/netcdf";
/** Of NetCDF files without size or checksum: esgpull drops its whole list if an asset of NETCDF lacks one. */
const INCOMPLETE_NETCDF = "application/x-netcdf";
const UNKNOWN_TYPE = "application/octet-stream";

/** Characters that an IRI must encode (RFC 3987, 2.2), and percent signs that encode nothing. */
const NOT_IN_IRI = /[\p{C}\s"<>\\^`{|}[\]]|%(?![0-9a-f]{2})/giu;

/** A location as an IRI reference. In a path, percent signs, question marks and hashes stand for themselves. */
const asReference = (location: string): string =>
  (/^[a-z][a-z0-9+.-]*:/i.test(location)
    ? location
    : location.replace(/[%?#]/g, encodeURIComponent)
  ).replace(NOT_IN_IRI, encodeURIComponent);

/**
 * The address that downloads a file, with its path in a local copy as a fragment. intake-esgf takes the path from the end of
 * the address, from the name of the project on; nothing of a fragment is sent to a server.
 */
function webAddress(document: Document, facts: ItemFacts, base: string): string | undefined {
  const address = downloadOf(document, base);
  const path = localPathOf(document, facts);
  return address === undefined || path === undefined ? address : `${address}#${encodeURI(path)}`;
}

/** Describes one copy of a file. Clients expect a type of every copy. */
function copyOf(document: Document, facts: ItemFacts, base: string): Record<string, unknown> {
  const checksum = multihash(textOf(document, "checksum"));
  const type = MEDIA_TYPES[textOf(document, "format").toLowerCase()] ?? UNKNOWN_TYPE;
  const isWhole = checksum !== undefined && typeof document.size === "number";
  const store = textOf(document, "fs_type");
  return {
    href: webAddress(document, facts, base) ?? asReference(locationOf(document)),
    type: type === NETCDF && !isWhole ? INCOMPLETE_NETCDF : type,
    ...(store !== "" && { "alternate:name": store }),
    ...(typeof document.size === "number" && { "file:size": document.size }),
    ...(checksum !== undefined && { "file:checksum": checksum }),
  };
}

/** Copies of one file, by version and name; the first of each is the one to take. */
function copies(documents: readonly Document[]): Document[][] {
  const groups = groupBy(documents, (document) =>
    JSON.stringify([textOf(document, "version"), nameOf(document)]),
  );
  return [...groups.values()].map((group) =>
    group.sort((a, b) => Number(isOnDisk(b)) - Number(isOnDisk(a))),
  );
}

/**
 * Copies by the names of their stores, with a number if there are several in one. esgpull takes the first one instead of the
 * asset, so this is one that can be downloaded, if need be the asset itself.
 */
function alternates(
  asset: Document,
  others: readonly Document[],
  facts: ItemFacts,
  base: string,
): Record<string, object> {
  const named: Record<string, object> = {};
  const isWeb = (document: Document): boolean => downloadOf(document, base) !== undefined;
  const web = others.filter(isWeb);
  const first = web.length === 0 && isWeb(asset) ? [asset] : web;
  for (const document of [...first, ...others.filter((one) => !isWeb(one))]) {
    const store = textOf(document, "fs_type") || "copy";
    let name = store;
    for (let next = 2; Object.hasOwn(named, name); next += 1) name = `${store}-${next}`;
    named[name] = copyOf(document, facts, base);
  }
  return named;
}

interface Assets {
  readonly assets: Readonly<Record<string, object>>;
  readonly extensions: readonly string[];
}

const FILE = "https://stac-extensions.github.io/file/v2.1.0/schema.json";
const ALTERNATE = "https://stac-extensions.github.io/alternate-assets/v1.2.0/schema.json";

/** The search that finds the files of an item. @param latest whether searches find this version without naming it */
export const filesQuery = ({ name, version }: ItemFacts, latest: boolean): URLSearchParams =>
  new URLSearchParams({
    dataset_id: literally(name),
    ...(!latest && { "multi-version": "true", version: literally(version) }),
  });

/** The assets of an item: files, their zarr streams, and the dataset's intake catalogue. */
export function assetsOf(facts: ItemFacts, latest: boolean, base: string): Assets {
  const assets: Record<string, object> = {};
  const extensions = new Set<string>();
  const groups = copies(facts.documents);
  for (const [index, [first, ...others]] of groups.entries()) {
    if (first === undefined) continue;
    const number = String(index + 1).padStart(4, "0");
    const copy = copyOf(first, facts, base);
    const localPath = localPathOf(first, facts);
    // Clients drop the whole list if a file of the role "data" lacks its size or checksum.
    const isWhole = "file:size" in copy && "file:checksum" in copy;
    if ("file:size" in copy || "file:checksum" in copy || localPath) extensions.add(FILE);
    if ("alternate:name" in copy || others.length > 0) extensions.add(ALTERNATE);
    const trackingIds = storedValues(first, "tracking_id").map(String);
    assets[`data${number}`] = {
      ...copy,
      title: nameOf(first),
      // ESGF's clients look for these words.
      description: downloadOf(first, base) === undefined ? "Location" : "HTTPServer Link",
      location: locationOf(first),
      roles: [isWhole ? "data" : "source"],
      ...(localPath !== undefined && { "file:local_path": localPath }),
      ...(trackingIds.length > 0 && { tracking_id: trackingIds[0] }),
      ...(others.length > 0 && { alternate: alternates(first, others, facts, base) }),
    };
    if (isOnDisk(first) && STREAMED.has(textOf(first, "format").toLowerCase())) {
      assets[`zarr${number}`] = {
        href: zarrAddress(base, datasetId(textOf(first, "file"))),
        title: `${nameOf(first)} as a zarr stream`,
        description: "Needs an access token, or a shared address (POST data-portal/share-zarr)",
        type: "application/vnd+zarr",
        roles: ["stream"],
      };
    }
  }
  const query = filesQuery(facts, latest);
  assets.intake = {
    href: `${apiRoot(base)}/databrowser/intake-catalogue/native/file?${query}`,
    title: "intake-esm catalogue of this dataset",
    type: "application/json",
    roles: ["metadata"],
  };
  return { assets, extensions: [...extensions] };
}
