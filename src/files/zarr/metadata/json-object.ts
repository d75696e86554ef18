/** Accesses members of zarr documents, whatever they contain. */
import { isObject, type JsonObject } from "../../../domain/text/json-object.js";
import { strictJson } from "./strict-json.js";

export type Json = JsonObject;

/** Parses a document. Attributes may hold the bare tokens NaN and Infinity, which JSON.parse rejects. */
export function parseDocument(text: string): Json {
  const value: unknown = JSON.parse(strictJson(text));
  return isObject(value) ? value : {};
}

/** The numbers of a list; none if it is no list. */
export const numbersIn = (value: unknown): number[] =>
  Array.isArray(value) ? value.filter((item): item is number => typeof item === "number") : [];

/** The texts of a list; none if it is no list. */
export const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
