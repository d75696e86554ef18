/** The request that downloads the cart. */
import type { components } from "../../../generated/openapi.js";
import { formatFacts } from "../../../src/domain/vocabulary/list-formats.js";
import type { Sent } from "../../docs/snippets.js";
import { saveFile } from "../parts/save-file.js";
import { codeRequest } from "../service/code-request.js";
import { Unreachable } from "../service/problem.js";
import { send } from "../service/request.js";
import { words } from "../words/cart.js";
import type { CartItem } from "./item.js";

export type Cart = components["schemas"]["Cart"];
type Form = Cart["format"];

export interface Wanted {
  readonly form: Form;
  /** Flavour of the names in the list. */
  readonly flavour: string;
  readonly key: "file" | "uri";
  /** Whether zarr addresses are those of whole datasets. */
  readonly isJoined: boolean;
}

const CART_PATH = "/databrowser/cart/{flavour}/{uniq_key}";

/** The saved body of the request; no format has this name, so that the answer does not replace it. */
export const BODY_FILE = "cart-request.json";

const fileName = ({ form }: Wanted): string => `cart.${formatFacts(form).extension}`;

export function cartBody(
  items: readonly CartItem[],
  { form, isJoined }: Pick<Wanted, "form" | "isJoined">,
): Cart {
  const searches = items.map(({ flavour, pairs }) => {
    const parameters: Record<string, string[]> = {};
    for (const [name, value] of pairs) parameters[name] = [...(parameters[name] ?? []), value];
    return { flavour, parameters };
  });
  return { format: form, ...(isJoined && form === "zarr" && { join: "dataset" }), searches };
}

const optionsOf = (items: readonly CartItem[], wanted: Wanted) => ({
  in: { flavour: wanted.flavour, uniq_key: wanted.key },
  body: cartBody(items, wanted),
});

/** The request, to be shown as code. @param signed whether it needs a token */
export function cartSent(items: readonly CartItem[], wanted: Wanted, signed: boolean): Sent {
  const { form } = wanted;
  return codeRequest(words.title, CART_PATH, optionsOf(items, wanted), {
    method: "POST",
    signed: signed || form === "zarr",
    answer: form === "paths" || form === "zarr" ? "text" : "bytes",
    file: fileName(wanted),
  });
}

/**
 * Downloads the cart, and saves it once it is complete.
 *
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
  const answer = await send("post", CART_PATH, { ...optionsOf(items, wanted), signal });
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
