/**
 * What is taken beside what openapi.yaml says. Clients are made from the contract, where each thing has one form;
 * whoever writes requests by hand may use others. There are these:
 *
 * - `x-or-one: true` on an array: one element may stand without the array.
 * - `x-also: <name>` on a property: the name may be spelled so; where both are there, its own counts.
 * - `x-filter` on query parameters: any key that an operation does not declare is a filter too, and so are the items
 *   of its `filter` parameter; parameters may be spelled with `-` or `_`, and booleans in several ways (decode-query.ts).
 * - `x-unknown-parameters: ignored` on an operation: query parameters that it does not declare mean nothing.
 *
 * Handlers see one form only, that of the contract.
 */
import { z } from "@hono/zod-openapi";
import { isObject } from "../../../domain/text/json-object.js";

/** An array, of which one element may stand alone. */
export const orOne = <T extends z.ZodType>(array: T) =>
  z.preprocess((value) => (typeof value === "string" ? [value] : value), array);

/** An object, some of whose members have another spelling: own name by the other one. */
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
