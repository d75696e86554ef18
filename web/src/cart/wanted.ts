/** The request that downloads the cart. */
import type { components } from "../../../generated/openapi.js";
import type { Sent } from "../../docs/snippets.js";
import { sentOf } from "../service/sent.js";
import { words } from "../words/cart.js";
import type { CartItem } from "./item.js";

export type Cart = components["schemas"]["Cart"];
export type Form = Cart["as"];

export interface Wanted {
  readonly form: Form;
  /** Flavour of the names in the list. */
  readonly flavour: string;
  readonly key: "file" | "uri";
}

export const CART_PATH = "/databrowser/cart/{flavour}/{uniq_key}";

/** In the order offered. */
export const FORMS: readonly Form[] = ["paths", "intake", "stac", "csv", "zarr"];

const ENDINGS = { paths: "txt", zarr: "txt", intake: "json", stac: "zip", csv: "csv" } as const;

export const fileName = ({ form }: Wanted): string =>
  form === "zarr" ? "cart-zarr.txt" : `cart.${ENDINGS[form]}`;

export function cartBody(items: readonly CartItem[], form: Form): Cart {
  const searches = items.map(({ flavour, pairs }) => {
    const parameters: Record<string, string[]> = {};
    for (const [name, value] of pairs) parameters[name] = [...(parameters[name] ?? []), value];
    return { flavour, parameters };
  });
  return { as: form, searches };
}

export const pathValues = ({ flavour, key }: Wanted): Record<string, string> => ({
  flavour,
  uniq_key: key,
});

/** The request as shown as code. @param signed whether it needs a token */
export function cartSent(items: readonly CartItem[], wanted: Wanted, signed: boolean): Sent {
  const { form } = wanted;
  const asked = { in: pathValues(wanted), body: cartBody(items, form) };
  return sentOf(words.title, CART_PATH, asked, {
    method: "POST",
    signed: signed || form === "zarr",
    answer: form === "paths" || form === "zarr" ? "text" : "bytes",
    file: fileName(wanted),
  });
}
