// Made from openapi.yaml by `npm run generate`; never edited.
/**
 * Input aliases, copied to generated/: forms that are accepted beside those of openapi.yaml, for requests written by hand. The contract has
 * one form for each thing, so that generated clients stay simple.
 *
 * - `x-or-one: true` on an array: a single element needs no array.
 * - `x-or-text: true` on an object: a text may stand for it, and reaches the handler as a text.
 * - `x-also: <name>` on a property: an alternative name; if both are given, the property's own name counts.
 * - `x-filter` on query parameters: undeclared keys are filters, and so are the items of the `filter` parameter;
 *   names may be spelled with `-` or `_`, and booleans in several ways (decode-query.ts).
 * - `x-unknown-parameters: ignored` on an operation: undeclared query parameters are ignored.
 *
 * Apart from such texts, handlers receive only the form of the contract.
 */
import { z } from "@hono/zod-openapi";

/** Whether a value is an object of JSON. generated/ imports nothing of src/. */
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** An array, or a single element of it. */
export const orOne = <T extends z.ZodType>(array: T) =>
  z.preprocess((value) => (typeof value === "string" ? [value] : value), array);

/** An object with alternative names of members. @param spellings alternative name -> own name */
export const alsoNamed = <T extends z.ZodType>(spellings: Record<string, string>, object: T) =>
  z.preprocess((value) => {
    if (!isObject(value)) return value;
    const members: Record<string, unknown> = { ...value };
    for (const [other, own] of Object.entries(spellings)) {
      if (!(other in members)) continue;
      // In a form, an empty parameter counts as left out (RFC 6749, 3.2).
      if (members[own] === undefined || members[own] === "") members[own] = members[other];
      delete members[other];
    }
    return members;
  }, object);

/** Characters of a text in place of an object. */
const MAX_TEXT = 50_000;

/** Accepts a text in place of an object, which stays a text: filters have two languages. */
export const orText = <S extends z.ZodType>(object: S) =>
  z.union([object, z.string().max(MAX_TEXT)]);
