/** Checks that a request has a body as its operation declares it, and reads it. */
import { isUtf8 } from "node:buffer";
import type { z } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler } from "hono";
import { BODY_LIMITS, routes } from "../../../../generated/routes.js";
import { Budget, type Lease } from "../../../platform/concurrency/budget.js";
import { RETRY_AFTER, ServiceBusy } from "../../../platform/errors.js";
import { MalformedBody, UnsupportedMediaType } from "../../errors.js";
import type { MoreIssues, OperationId, Request } from "../operation.js";
import { type BodyLimit, drop, JsonBody, readBytes, WrongShape } from "./json-body.js";

const FORM = "application/x-www-form-urlencoded";
export const JSON_TYPE = "application/json";
/** Number of the largest bodies that are processed at the same time. */
const MAX_LARGE_BODIES = 8;

/** A budget for the bytes of all bodies in work. Bookings throw ServiceBusy. */
export const bodyBudget = (): Budget =>
  new Budget(MAX_LARGE_BODIES * Math.max(...Object.values(BODY_LIMITS).map(({ bytes }) => bytes)), {
    refused: () =>
      new ServiceBusy(
        RETRY_AFTER.permit,
        "Too many large bodies are being read; please try again.",
      ),
  });

/**
 * Requires a body of a declared type and bounded size. (The validator would accept a multipart form for any type, and a
 * missing body as an empty object.)
 */
export function guardBody(
  id: OperationId,
  budget: Budget,
  moreIssues: MoreIssues<"addUserData"> | undefined,
): MiddlewareHandler[] {
  const content = bodyOf(routes[id]);
  if (content === undefined) return [];
  // The contract has a limit for each body.
  const limit: BodyLimit = BODY_LIMITS[id as keyof typeof BODY_LIMITS];
  const types = Object.keys(content);
  const isForm = types.includes(FORM);
  const known: MiddlewareHandler = async (c, next) => {
    const type = c.req.header("Content-Type")?.split(";")[0]?.trim().toLowerCase();
    const missing = type === undefined || type === "";
    if (missing && !isForm && !hasBody(c)) throw new MalformedBody("A body is needed.");
    if (missing ? !isForm : !types.includes(type)) throw new UnsupportedMediaType(types);
    await next();
  };
  if (!isForm) {
    const schema = content[JSON_TYPE]?.schema;
    if (schema === undefined) throw new Error(`${id}: its body is neither a form nor JSON`);
    return [known, readJson(new JsonBody(schema, limit), budget, moreIssues)];
  }
  return [known, guardForm(limit.bytes)];
}

type Content = Record<string, { readonly schema: z.ZodType }>;

/** The bodies that an operation takes, by media type. */
export const bodyOf = (route: (typeof routes)[OperationId]): Content | undefined =>
  (route.request as { body?: { content: Content } }).body?.content;

/** Reads and validates a JSON body. Its bytes stay booked until the operation is done. */
function readJson(
  body: JsonBody,
  budget: Budget,
  moreIssues: MoreIssues<"addUserData"> | undefined,
): MiddlewareHandler {
  return async (c, next) => {
    const leases: Lease[] = [];
    try {
      const onBytes = (bytes: number): void => {
        leases.push(budget.takeNow(bytes));
      };
      const value = await body.read(c, onBytes).catch(async (error) => {
        await drop(c);
        if (!(error instanceof WrongShape) || moreIssues === undefined) throw error;
        const { caller, principal } = c.var as Request<"addUserData">;
        throw await error.withMoreIssues((body, isReported) =>
          moreIssues({ caller, principal, body, isReported }),
        );
      });
      c.set("json", value);
      await next();
    } finally {
      for (const lease of leases) lease.release();
    }
  };
}

/** Requires UTF-8 in a form, also inside percent-encoding (URL Standard, 5.1): else different names could become equal. */
function guardForm(max: number): MiddlewareHandler {
  return async (c, next) => {
    const bytes = await readBytes(c, max).catch(async (error) => {
      await drop(c);
      throw error;
    });
    // The validator reads the body from here.
    c.req.bodyCache = { arrayBuffer: bytes.buffer as ArrayBuffer };
    const fields = bytes.toString("latin1").split("&");
    try {
      if (!isUtf8(bytes)) throw new URIError();
      // A lone percent sign means itself.
      for (const field of fields) decodeURIComponent(field.replaceAll(/%(?![0-9a-f]{2})/gi, "%25"));
    } catch {
      throw new MalformedBody("The body is not a form in UTF-8.");
    }
    await next();
  };
}

const hasBody = (c: Context): boolean =>
  c.req.header("Transfer-Encoding") !== undefined || Number(c.req.header("Content-Length")) > 0;
