/** What answers at the API's own address, which is what a person is told and opens first. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { PREFIX } from "../../../../generated/prefix.js";
import type { ReadCaller } from "../caller.js";

/** Mounts a short list of where to go from there; it is no operation, as there is nothing to be had from it. */
export function mountApiIndex(app: OpenAPIHono, readCaller: ReadCaller): void {
  const answer = (c: Context): Response => {
    const { base } = readCaller(c);
    return c.json({
      title: "climate-nextgen",
      documentation: `${base}/docs`,
      contract: `${base}/openapi.json`,
      overview: `${base}${PREFIX}/databrowser/overview`,
    });
  };
  app.get(PREFIX, answer);
  app.get(`${PREFIX}/`, answer);
}
