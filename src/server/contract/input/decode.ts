/** Decodes a request by the contract: path, query, headers and body, each validated once. */
import type { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { routes } from "../../../../generated/routes.js";
import { InvalidParameters } from "../../../domain/errors.js";
import type { Budget, Lease } from "../../../platform/concurrency/budget.js";
import type { OperationId, Sender } from "../operation.js";
import { validated } from "../problem.js";
import { queryOf } from "./decode-query.js";
import { bodyReader, type MoreIssues, oneOrMore } from "./read-body.js";

interface Schemas {
  readonly params?: z.ZodType;
  readonly headers?: z.ZodObject;
}

export function decoder(id: OperationId, budget: Budget, moreIssues: MoreIssues | undefined) {
  const { params, headers }: Schemas = routes[id].request;
  const query = queryOf(id);
  const readBody = bodyReader(id, budget, moreIssues);
  const names = Object.keys(headers?.shape ?? {});
  return async (c: Context, sender: Sender, leases: Lease[]) => {
    if (query !== undefined) refuseLostKeys(c.req.url);
    return {
      headers: headers === undefined ? {} : validated(headers, declared(c, names), "header"),
      body: await readBody?.(c, sender, leases),
      query: query === undefined ? {} : validated(query, queryTextOf(c), "query"),
      path: params === undefined ? {} : validated(params, c.req.param(), "param"),
    };
  };
}

/** The headers of some names: a copy of all headers of each request would cost more than they. */
function declared(c: Context, names: readonly string[]): Record<string, string> {
  const given: Record<string, string> = {};
  for (const name of names) {
    const value = c.req.header(name);
    if (value !== undefined) given[name] = value;
  }
  return given;
}

const queryTextOf = (c: Context): Record<string, string | string[]> =>
  Object.fromEntries(Object.entries(c.req.queries()).map(([key, all]) => [key, oneOrMore(all)]));

/** Refuses keys that the framework drops before validation, as unknown parameters. */
function refuseLostKeys(url: string): void {
  const start = url.indexOf("?");
  if (start < 0 || !/[?&]=|__|%/.test(url.slice(start))) return;
  const lost = [...new URLSearchParams(url.slice(start)).keys()].filter(
    (key) => key === "" || key === "__proto__",
  );
  if (lost.length === 0) return;
  throw new InvalidParameters(
    [...new Set(lost)].map((name) => ({ name, in: "query", reason: "is not a parameter here" })),
  );
}

/** The query of an operation that has only the parameters of a search. */
const PLAIN = queryOf("summarize");

/** Reads a search in a body like the same parameters in an address: one value or several by name. */
export const readInnerSearch = (
  parameters: Readonly<Record<string, string | readonly string[]>>,
): z.output<typeof PLAIN> => validated(PLAIN, parameters, "query");
