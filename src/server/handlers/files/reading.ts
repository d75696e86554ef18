/** Begins to read data: for an account, for anybody if the data are public, or with the ticket of a share. */
import { anonymous } from "../../../domain/user-data/owner.js";
import type { Reader } from "../../../files/rights/file-rights.js";
import { STORE_ENDS } from "../../../files/zarr/address.js";
import type { TimedClient } from "../../../files/zarr/worker/client.js";
import { issuerOf } from "../../../identity/auth.js";
import { InvalidToken, MissingToken } from "../../../identity/errors.js";
import type { AnyRequest } from "../../contract/operation.js";
import type { DirectBytes } from "../../http/answer.js";
import type { BytePart } from "../../http/byte-range.js";
import { callingOwner, clientKey, readingClient } from "../common/client.js";
import type { Services } from "../services.js";

/** Hint for people whose browser sends no token. */
export const SHARE_HINT =
  "A browser sends none: a shared address opens in it without one (POST data-portal/share-zarr).";

export interface Reading {
  readonly reader: Reader;
  /** The client for the processes that read files. */
  readonly client: TimedClient;
}

/** Begins to read. Data that are not public need a token, also if they do not exist. @param hint added to that error */
export async function beginReading(
  id: string,
  request: AnyRequest,
  { access }: Services,
  hint?: string,
): Promise<Reading> {
  const { principal, caller } = request;
  if (principal !== undefined) return announced(id, request, callingOwner({ principal, caller }));
  // Reading the signal makes an abort controller, which most requests do not need.
  if (!(await access.isPublic(id, caller.signal))) throw new MissingToken(hint);
  return announced(id, request, anonymous(clientKey({ caller })));
}

/** The answer with all bytes, or with the part of them that is requested. @param length of all */
export function bytesReply<H extends Readonly<Record<string, string>>>(
  part: BytePart | undefined,
  length: number,
  headers: H,
  body: DirectBytes,
) {
  const type = "application/octet-stream";
  if (part === undefined) return { status: 200, type, headers, body } as const;
  const range = `bytes ${part.from}-${part.from + part.count - 1}/${length}`;
  return { status: 206, type, headers: { ...headers, "Content-Range": range }, body } as const;
}

/** Begins to read with the ticket of a shared address, which must be of the data set in the address. */
export async function beginSharedReading(
  path: { readonly ticket: string; readonly store: string },
  request: AnyRequest,
  { auth }: Services,
): Promise<Reading> {
  const { dataset, by } = await auth.shares.verify(issuerOf(request.caller.base), path.ticket);
  if (Object.values(STORE_ENDS).some((end) => dataset + end === path.store)) {
    return announced(dataset, request, { ...by, isSharer: true }, clientKey(request));
  }
  throw new InvalidToken("The address is not valid, or has expired.", "share");
}

async function announced(
  id: string,
  request: AnyRequest,
  reader: Reader,
  key = reader.id,
): Promise<Reading> {
  await request.context.reads(id, reader);
  return { reader, client: readingClient(request, key) };
}
