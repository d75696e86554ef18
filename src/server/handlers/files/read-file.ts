/** Downloads: the file of a data set, whole or in part. */
import { NoSuchData, NotOneFile } from "../../../files/errors.js";
import type { Reader } from "../../../files/rights/file-rights.js";
import { fileTag } from "../../../files/zarr/open/entity-tags.js";
import type { DataFile } from "../../access/zarr-access.js";
import type { Request } from "../../contract/operation.js";
import { PreconditionFailed } from "../../errors.js";
import { fileDisposition, zarrAddress } from "../../formats/download/addresses.js";
import type { DirectBytes } from "../../http/answer.js";
import { requestedPart } from "../../http/byte-range.js";
import { matches, matchesStrongly } from "../../http/entity-tag.js";
import type { Handler, Services } from "../services.js";
import { beginReading, beginSharedReading, bytesReply } from "./reading.js";

/** Compressed bytes would have another length and other ranges. */
const CACHING = "private, no-cache, no-transform";

type FileRequest = Pick<Request<"readFile">, "path" | "headers" | "caller" | "context">;

/** Downloads a file with a token, or without one if it is public. */
export const readFile: Handler<"readFile"> = async (request, services) => {
  const { reader } = await beginReading(request.path.id, request, services);
  return send(request, reader, services);
};

/** Downloads a file with the ticket of a share. */
export const readSharedFile: Handler<"readSharedFile"> = async (request, services) => {
  const { ticket, id } = request.path;
  const { reader } = await beginSharedReading({ ticket, store: `${id}.zarr` }, request, services);
  return send(request, reader, services);
};

async function send(request: FileRequest, reader: Reader, { datasets, access }: Services) {
  const { path, context } = request;
  return access.file(`${path.id}.zarr`, reader, request.caller, async (file) => {
    requireNamed(file, request);
    const { size } = file.identity;
    const headers = headersOf(file);
    if (isUnchanged(request, file, headers.ETag)) return { status: 304, headers } as const;
    const sent = { ...headers, "Content-Disposition": fileDisposition(file.name) };
    if (context.method === "HEAD") return bytesReply(undefined, size, sent, unread(size));
    const part = requestedPart(request.headers, headers.ETag, size);
    const { from, count } = part ?? { from: 0, count: size };
    const range = { path: file.path, identity: file.identity, offset: 0, length: size };
    const body = await datasets.body({ ...range, isNamed: true }, from, count);
    return bytesReply(part, size, sent, body);
  });
}

function requireNamed({ name, isFolder }: DataFile, { path, caller }: FileRequest): void {
  if (isFolder) {
    const address = zarrAddress(caller.base, path.id);
    throw new NotOneFile(`These data are a zarr store of many files; read them at ${address}.`);
  }
  if (name.toWellFormed() === path.file_name) return;
  throw new NoSuchData(`The file of these data has another name: ${JSON.stringify(name)}.`);
}

function headersOf(file: DataFile) {
  const digest = reprDigest(file);
  return {
    ETag: `"${fileTag(file.identity)}"`,
    "Last-Modified": new Date(secondsOf(file) * 1000).toUTCString(),
    "Accept-Ranges": "bytes",
    "Cache-Control": CACHING,
    ...(digest !== undefined && { "Repr-Digest": digest }),
  };
}

/** The algorithms of RFC 9530 and the registry of HTTP digest algorithms, by the names of the index. */
const ALGORITHMS: Readonly<Record<string, string>> = {
  md5: "md5",
  sha1: "sha",
  sha256: "sha-256",
  sha512: "sha-512",
};

/** The value of Repr-Digest; undefined if the index knows no checksum, or if the file has changed since. */
function reprDigest({ identity, facts }: DataFile): string | undefined {
  const { checksum, size, modified } = facts;
  // Milliseconds, as a crawl stores them.
  const time = Number(BigInt(identity.modified) / 1_000_000n);
  const isSame =
    (size === undefined || size === identity.size) &&
    (modified === undefined || Date.parse(modified) === time);
  if (checksum === undefined || !isSame) return undefined;
  const [algorithm = "", digits = ""] = checksum.split(":");
  const name = ALGORITHMS[algorithm];
  return name && `${name}=:${Buffer.from(digits, "hex").toString("base64")}:`;
}

/** The last date of JavaScript, in seconds. A file system may report a later one. */
const MAX_SECONDS = 8_640_000_000_000;

/** When the file was changed, in seconds since 1970. */
const secondsOf = ({ identity }: DataFile): number =>
  Math.max(-MAX_SECONDS, Math.min(MAX_SECONDS, Number(BigInt(identity.modified) / 10n ** 9n)));

/** Evaluates the preconditions in the order of RFC 9110, 13.2.2. */
function isUnchanged({ headers }: FileRequest, file: DataFile, tag: string): boolean {
  const { "If-Match": wanted, "If-None-Match": known } = headers;
  const changed = secondsOf(file) * 1000;
  const isAnother =
    wanted === undefined
      ? changed > millisecondsOf(headers["If-Unmodified-Since"])
      : !matchesStrongly(wanted, tag);
  if (isAnother) throw new PreconditionFailed("The file has changed.");
  if (known !== undefined) return matches(known, tag);
  return changed <= millisecondsOf(headers["If-Modified-Since"]);
}

/** A date of HTTP in milliseconds since 1970; not a number for other texts, which are ignored (RFC 9110, 13.1.3 and 13.1.4). */
const millisecondsOf = (date: string | undefined): number =>
  date?.endsWith("GMT") ? Date.parse(date) : Number.NaN;

/** A body of which only the length is sent, in the answer to HEAD. */
const unread = (length: number): DirectBytes => ({
  length,
  writeTo: () => Promise.reject(new Error("An answer to HEAD has no body.")),
});
