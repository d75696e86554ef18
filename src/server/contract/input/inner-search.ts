/** A search that stands in a body: read as the same parameters in an address are. */
import type { z } from "@hono/zod-openapi";
import { routes } from "../../../../generated/routes.js";
import { invalidParameters } from "../problem.js";

/** An operation that has the parameters of a search, and none beside them. */
const PLAIN = routes.summarize.request.query;

export type InnerQuery = z.output<typeof PLAIN>;

/**
 * @param parameters by their names, one value or several each
 * @throws InvalidParameters as an operation that searches
 */
export function readInnerSearch(
  parameters: Readonly<Record<string, string | readonly string[]>>,
): InnerQuery {
  const result = PLAIN.safeParse(parameters);
  if (!result.success) throw invalidParameters(result.error, "query");
  return result.data;
}
