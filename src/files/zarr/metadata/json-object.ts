/** Documents of zarr as objects, of whatever is in them. */
import { isObject, type JsonObject } from "../../../domain/text/json-object.js";
import { strictJson } from "./strict-json.js";

export type Json = JsonObject;

/** Attributes may hold the bare tokens NaN and Infinity, which JSON.parse does not know. */
export function parseDocument(text: string): Json {
  const value: unknown = JSON.parse(strictJson(text));
  return isObject(value) ? value : {};
}

/** The numbers of a list; none where it is no list. */
export const numbersIn = (value: unknown): number[] =>
  Array.isArray(value) ? value.filter((item): item is number => typeof item === "number") : [];

/** The texts of a list; none where it is no list. */
export const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
