/** Decodes a request by the contract: path, query, headers and body, each validated once. */

import { isUtf8 } from "node:buffer";
import type { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { OPERATIONS } from "../../../../generated/operations.js";
import { routes } from "../../../../generated/routes.js";
import { type FoundIssues, InvalidParameters } from "../../../domain/errors.js";
import { Budget, type Lease } from "../../../platform/concurrency/budget.js";
import { RETRY_AFTER, ServiceBusy } from "../../../platform/errors.js";
import { groupBy } from "../../../platform/group-by.js";
import { MalformedBody, UnsupportedMediaType } from "../../errors.js";
import type { OperationId, Sender, WrongRequest } from "../operation.js";
import { validated } from "../problem.js";
import { queryOf } from "./decode-query.js";
import { drop, JsonBody, readBytes, WrongShape } from "./json-body.js";

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

const FORM = "application/x-www-form-urlencoded";
/** Number of the largest bodies that are processed at the same time. */
const MAX_LARGE_BODIES = 8;

/** A budget for the bytes of all bodies in work. Bookings throw ServiceBusy. */
export const bodyBudget = (): Budget =>
  new Budget(
    MAX_LARGE_BODIES * Math.max(...Object.values(OPERATIONS).map(({ body }) => body?.bytes ?? 0)),
    {
      refused: () =>
        new ServiceBusy(
          RETRY_AFTER.permit,
          "Too many large bodies are being read; please try again.",
        ),
    },
  );

export type MoreIssues = (request: WrongRequest) => Promise<FoundIssues>;

/** Reads the body of a request. @param leases receives the bookings of its bytes, to be released when the operation is done */
type ReadBody = (c: Context, sender: Sender, leases: Lease[]) => Promise<unknown>;

/** Requires a body of a declared type and bounded size, and validates it; undefined if the operation takes none. */
export function bodyReader(
  id: OperationId,
  budget: Budget,
  moreIssues: MoreIssues | undefined,
): ReadBody | undefined {
  const { body } = routes[id].request as { body?: { content: Content } };
  const limit = OPERATIONS[id].body;
  if (body === undefined || limit === undefined) return undefined;
  const types = Object.keys(body.content);
  const [schema] = Object.values(body.content).map((one) => one.schema);
  if (schema === undefined) throw new Error(`${id}: its body has no schema`);
  const isForm = types.includes(FORM);
  const read = isForm
    ? formReader(schema, limit.bytes)
    : jsonReader(new JsonBody(schema, limit), budget, moreIssues);
  return (c, sender, leases) => {
    const type = c.req.header("Content-Type")?.split(";")[0]?.trim().toLowerCase();
    const missing = type === undefined || type === "";
    if (missing && !isForm && !hasBody(c)) throw new MalformedBody("A body is needed.");
    if (missing ? !isForm : !types.includes(type)) throw new UnsupportedMediaType(types);
    return read(c, sender, leases).catch(async (error) => {
      await drop(c);
      throw error;
    });
  };
}

type Content = Record<string, { readonly schema: z.ZodType }>;

/** Its bytes stay booked until the operation is done. */
function jsonReader(body: JsonBody, budget: Budget, moreIssues: MoreIssues | undefined): ReadBody {
  return async (c, sender, leases) => {
    const onBytes = (bytes: number): void => {
      leases.push(budget.takeNow(bytes));
    };
    return body.read(c, onBytes).catch(async (error) => {
      if (!(error instanceof WrongShape) || moreIssues === undefined) throw error;
      throw await error.withMoreIssues((body, isReported) =>
        moreIssues({ ...sender, body, isReported }),
      );
    });
  };
}

/** Requires UTF-8 in a form, also inside percent-encoding (URL Standard, 5.1): else different names could become equal. */
function formReader(schema: z.ZodType, max: number): ReadBody {
  return async (c) => {
    const bytes = await readBytes(c, max);
    const text = bytes.toString("latin1");
    try {
      if (!isUtf8(bytes)) throw new URIError();
      // A lone percent sign means itself.
      decodeURIComponent(text.replaceAll(/%(?![0-9a-f]{2})/gi, "%25"));
    } catch {
      throw new MalformedBody("The body is not a form in UTF-8.");
    }
    const isNamed = c.req.header("Content-Type") !== undefined;
    return validated(schema, isNamed ? fieldsOf(bytes.toString("utf8")) : {}, "form");
  };
}

/** The fields of a form by their names. */
function fieldsOf(text: string): Record<string, string | string[]> {
  const fields = groupBy(new URLSearchParams(text), ([name]) => name);
  const texts = [...fields].map(([name, all]) => [name, all.map(([, value]) => value)] as const);
  return Object.fromEntries(texts.map(([name, values]) => [name, oneOrMore(values)]));
}

/** A text, or a list where a name is repeated. */
export const oneOrMore = (values: string[]): string | string[] =>
  values.length === 1 ? (values[0] ?? "") : values;

const hasBody = (c: Context): boolean =>
  c.req.header("Transfer-Encoding") !== undefined || Number(c.req.header("Content-Length")) > 0;
