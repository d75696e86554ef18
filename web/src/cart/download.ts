/** Downloads the cart and saves it once it is complete. */
import { saveFile } from "../parts/save-file.js";
import { Unreachable } from "../service/problem.js";
import { send } from "../service/request.js";
import type { CartItem } from "./item.js";
import { CART_PATH, cartBody, fileName, pathValues, type Wanted } from "./wanted.js";

/**
 * @param onBytes receives the number of bytes so far
 * @returns bytes saved
 * @throws as send; Unreachable if the transfer breaks off, and then nothing is saved
 */
export async function downloadCart(
  items: readonly CartItem[],
  wanted: Wanted,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<number> {
  const body = cartBody(items, wanted.form);
  const answer = await send("post", CART_PATH, { in: pathValues(wanted), body, signal });
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  try {
    const reader = answer.body?.getReader();
    for (;;) {
      const next = await reader?.read();
      if (next === undefined || next.done) break;
      pieces.push(next.value as Uint8Array<ArrayBuffer>);
      bytes += next.value.length;
      onBytes(bytes);
    }
  } catch (error) {
    if (signal.aborted) throw error;
    throw new Unreachable(error);
  }
  const type = answer.headers.get("Content-Type") ?? "application/octet-stream";
  saveFile(new Blob(pieces, { type }), fileName(wanted));
  return bytes;
}
