/** Reads the list of a download: Metalink 4 (RFC 5854), as a service writes it, one file per line. */

import { BrowseError, bodyOf } from "../client/browse.js";
import { apiAddress } from "../client/service-address.js";

export interface ListedFile {
  /** The identifier of the data set. */
  readonly id: string;
  /** The path below `data-portal/files`. */
  readonly path: string;
  /** The segments of the path on this machine. */
  readonly target: readonly string[];
  /** Bytes; undefined if unknown. */
  readonly size: number | undefined;
  readonly checksum: { readonly algorithm: string; readonly digits: string } | undefined;
}

interface FileList {
  readonly files: readonly ListedFile[];
  /** One line for each kind of data that cannot be downloaded. */
  readonly leftOut: readonly string[];
}

const FILE =
  /^<file name="([^"]+)">(?:<size>(\d+)<\/size>)?(?:<hash type="([a-z\d-]+)">([\da-f]+)<\/hash>)?<url>([^<]+)<\/url><\/file>$/;
const ADDRESS = /\/data-portal\/files\/(([\da-f-]{36})\/[^/?#]+)$/;
const LEFT_OUT = /^<!-- (.+) -->$/;

/** @throws BrowseError if the transfer breaks off, or if a line is none of a list */
export async function readList(response: Response): Promise<FileList> {
  const files: ListedFile[] = [];
  const leftOut: string[] = [];
  let isWhole = false;
  for await (const line of linesOf(bodyOf(response))) {
    const [, comment] = LEFT_OUT.exec(line) ?? [];
    if (line === "</metalink>") isWhole = true;
    else if (line.startsWith("<file ")) files.push(fileOf(line));
    else if (comment !== undefined) leftOut.push(comment);
  }
  if (!isWhole) throw new BrowseError("The list of files is incomplete.");
  return { files, leftOut };
}

async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of pieces) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

const plain = (text: string): string =>
  text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));

function fileOf(line: string): ListedFile {
  const [, name = "", size, algorithm, digits, url = ""] = FILE.exec(line) ?? [];
  const [, path, id] = ADDRESS.exec(plain(url)) ?? [];
  const target = plain(name).split("/");
  // A service that is not what it seems must not choose a place outside the folder.
  const isBelow = target.every((part) => !["", ".", ".."].includes(part) && !part.includes("\0"));
  if (path === undefined || id === undefined || !isBelow) {
    throw new BrowseError("The service sent a list of files that cannot be read.");
  }
  return {
    id,
    path,
    target,
    size: size === undefined ? undefined : Number(size),
    checksum:
      algorithm === undefined || digits === undefined
        ? undefined
        : { algorithm: algorithm.replace("-", ""), digits },
  };
}

/** The address of a file. The host is the one of the request: the token is for it alone. */
export const addressOf = (service: string, { path }: ListedFile): string =>
  `${apiAddress(service)}/data-portal/files/${path}`;
