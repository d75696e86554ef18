/** Chooses parts of items. Source: stac-api-extensions/fields, 1.0.0. */
import { isObject } from "../../../domain/text/json-object.js";

/** Parts as dotted names. `include` null or empty stands for the usual parts, undefined for all. */
export interface ChosenParts {
  readonly include?: readonly string[] | null | undefined;
  readonly exclude?: readonly string[] | null | undefined;
}

type Json = { [key: string]: unknown };

const USUAL = [
  "type",
  "stac_version",
  "id",
  "geometry",
  "bbox",
  "links",
  "assets",
  "collection",
  "properties.datetime",
  "properties.start_datetime",
  "properties.end_datetime",
];

/** The keys on the way to a part. Names of properties have dots only after `properties.`. */
const keysOf = (name: string): string[] => name.split(".");

function copyPart(from: Json, to: Json, keys: readonly string[]): void {
  const [key = "", ...rest] = keys;
  if (!Object.hasOwn(from, key)) return;
  const part = from[key];
  if (rest.length === 0) to[key] = part;
  else if (isObject(part)) {
    const inner = isObject(to[key]) && Object.hasOwn(to, key) ? { ...to[key] } : {};
    copyPart(part, inner, rest);
    to[key] = inner;
  }
}

function withoutPart(value: Json, keys: readonly string[]): Json {
  const [key = "", ...rest] = keys;
  if (!Object.hasOwn(value, key)) return value;
  const { [key]: part, ...others } = value;
  if (rest.length === 0) return others;
  return isObject(part) ? { ...others, [key]: withoutPart(part, rest) } : value;
}

/** The item with the chosen parts only. What is both included and excluded is included. */
export function chosenParts<T extends object>(item: T, { include, exclude }: ChosenParts): object {
  const whole = item as unknown as Json;
  const named = include?.length ? include : undefined;
  const excluded = (exclude ?? []).filter((name) => !named?.includes(name));
  let chosen: Json = whole;
  if (named !== undefined || include !== undefined || excluded.length === 0) {
    chosen = {};
    for (const name of named ?? USUAL) copyPart(whole, chosen, keysOf(name));
  }
  for (const name of excluded) {
    // An included part of an excluded one stays.
    if (named?.some((one) => one.startsWith(`${name}.`))) continue;
    chosen = withoutPart(chosen, keysOf(name));
  }
  return chosen;
}
