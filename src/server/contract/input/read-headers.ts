/** Reads the headers that an operation declares. */
import type { z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import type { routes } from "../../../../generated/routes.js";
import type { OperationId } from "../operation.js";
import { invalidParameters } from "../problem.js";

/**
 * Reads and validates the declared headers, one by one: the framework's own validator would copy all headers of each request.
 */
export function readHeaders(route: (typeof routes)[OperationId]): MiddlewareHandler[] {
  const { headers: schema } = route.request as { headers?: z.ZodObject };
  if (schema === undefined) return [];
  const names = Object.keys(schema.shape);
  return [
    async (c, next) => {
      const given: Record<string, string> = {};
      for (const name of names) {
        const value = c.req.header(name);
        if (value !== undefined) given[name] = value;
      }
      const result = schema.safeParse(given);
      if (!result.success) throw invalidParameters(result.error, "header");
      c.set("headers", result.data);
      await next();
    },
  ];
}
