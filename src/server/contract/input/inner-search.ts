/** Reads a search in a body like the same parameters in an address. */
import type { z } from "@hono/zod-openapi";
import { validated } from "../problem.js";
import { queryOf } from "./decode-query.js";

/** The query of an operation that has only the parameters of a search. */
const PLAIN = queryOf("summarize");

export type InnerQuery = z.output<typeof PLAIN>;

/**
 * @param parameters one value or several by name
 * @throws InvalidParameters as search operations
 */
export function readInnerSearch(
  parameters: Readonly<Record<string, string | readonly string[]>>,
): InnerQuery {
  return validated(PLAIN, parameters, "query");
}
