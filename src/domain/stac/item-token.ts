/** The token of a page of items: the place of the last item before it. Like page cursors, it has the same meaning in every search. */
import { isUtf8 } from "node:buffer";
import { Unreadable } from "../extent/period.js";

export interface ItemPlace {
  readonly name: string;
  /** Values of the sort keys, in their order. */
  readonly values: readonly (string | null)[];
}

export const encodePlace = ({
  name,
  values,
}: {
  readonly name: string;
  readonly values: readonly (string | null | undefined)[];
}): string =>
  Buffer.from(JSON.stringify([name, ...values.map((one) => one ?? null)])).toString("base64url");

/** @param keys number of sort keys. @throws Unreadable for text that encodePlace did not write for this number of keys */
export function decodePlace(token: string, keys: number): ItemPlace {
  const bytes = Buffer.from(token, "base64url");
  const refused = new Unreadable("must be the token of a link of the previous page");
  if (bytes.toString("base64url") !== token || !isUtf8(bytes)) throw refused;
  let parts: unknown;
  try {
    parts = JSON.parse(bytes.toString());
  } catch {
    throw refused;
  }
  const isPlace =
    Array.isArray(parts) &&
    parts.length === keys + 1 &&
    typeof parts[0] === "string" &&
    parts.every((part) => part === null || typeof part === "string");
  if (!isPlace) throw refused;
  const [name, ...values] = parts as [string, ...(string | null)[]];
  return { name, values };
}
