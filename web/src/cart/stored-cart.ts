/**
 * The cart as text and back. Stored text may come from another release or be damaged, so it is validated like untrusted
 * input.
 */
import { isObject } from "../../../src/domain/text/json-object.js";
import type { Pairs } from "../service/request.js";
import { type CartItem, type ItemKind, itemKey } from "./item.js";

/** Version of the stored format; others are ignored. */
const KEPT_VERSION = 1;
/** The service's limit for one request. */
export const MAX_ITEMS = 2000;
/** Characters of the stored text: the service accepts 1 MB bodies, browsers keep 5 MB. */
const MAX_LENGTH = 800_000;

const KINDS: readonly ItemKind[] = ["dataset", "search", "file"];

export const writeCart = (items: readonly CartItem[]): string =>
  JSON.stringify({ version: KEPT_VERSION, items });

/** Whether the entries can be stored, and downloaded by one request. */
export const fits = (items: readonly CartItem[]): boolean =>
  items.length <= MAX_ITEMS && writeCart(items).length <= MAX_LENGTH;

/** The valid entries of a stored cart; none if the text is not a cart. */
export function readCart(text: string | null): readonly CartItem[] {
  if (text === null || text.length > 2 * MAX_LENGTH) return [];
  let kept: unknown;
  try {
    kept = JSON.parse(text);
  } catch {
    return [];
  }
  if (!isObject(kept) || kept.version !== KEPT_VERSION || !Array.isArray(kept.items)) return [];
  const items = kept.items.slice(0, MAX_ITEMS).flatMap((one: unknown) => readItem(one) ?? []);
  return [...new Map(items.map((item) => [itemKey(item), item])).values()];
}

function readItem(one: unknown): CartItem | undefined {
  if (!isObject(one)) return undefined;
  const { flavour, title, files, bytes } = one;
  const kind = KINDS.find((known) => known === one.kind);
  const pairs = readPairs(one.pairs);
  if (kind === undefined || pairs === undefined) return undefined;
  if (typeof flavour !== "string" || flavour === "" || typeof title !== "string") return undefined;
  return { kind, flavour, pairs, title, files: readNumber(files), bytes: readNumber(bytes) };
}

function readPairs(value: unknown): Pairs | undefined {
  if (!Array.isArray(value)) return undefined;
  const isPair = (pair: unknown): pair is [string, string] =>
    Array.isArray(pair) && pair.length === 2 && pair.every((part) => typeof part === "string");
  return value.every(isPair) ? value : undefined;
}

const readNumber = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
