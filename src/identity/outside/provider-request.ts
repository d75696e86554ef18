/** Requests to the outside identity provider: bounded in size, and never redirected. */

/** Bytes of one answer. */
const MAX_ANSWER = 1_000_000;

/** @throws Error if the provider does not answer in time, redirects, or sends more than MAX_ANSWER bytes */
export async function requestProvider(
  url: string,
  init: Pick<RequestInit, "method" | "headers" | "body"> & { readonly signal: AbortSignal },
) {
  // A redirect could lead passwords and secrets, or this service itself, to another host.
  const response = await fetch(url, { ...init, redirect: "error" });
  const pieces: Uint8Array[] = [];
  let size = 0;
  // DOM's type of the stream, which tsc uses, lacks its iterator.
  const body = response.body as unknown as AsyncIterable<Uint8Array> | null;
  for await (const piece of body ?? []) {
    size += piece.length;
    if (size > MAX_ANSWER) throw new Error(`${url} sends more than ${MAX_ANSWER} bytes`);
    pieces.push(piece);
  }
  const text = new TextDecoder().decode(Buffer.concat(pieces));
  return { isOk: response.ok, status: response.status, text };
}
