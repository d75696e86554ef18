// Made from openapi.yaml by `npm run generate`; never edited.
import { createRoute, z } from "@hono/zod-openapi";
import { decodeQuery } from "../src/contract/decode-query.js";
import { Flavour, UniqKey, Select, Overview, MetadataSearchResult, IntakeCatalogue, Status, Problem } from "./schemas.js";

export const PREFIX = "/api/climate-nextgen";

export const routes = {
  getOverview: createRoute({
    operationId: "getOverview",
    method: "get",
    path: "/api/climate-nextgen/databrowser/overview",
    security: [],
    request: { params: z.strictObject({  }) },
    responses: { 200: { description: "Every flavour with the names of its facets.", content: { "application/json": { schema: Overview } } }, 500: { description: "The service failed. What went wrong is in its log, not in the answer.", content: { "application/problem+json": { schema: Problem } } } },
  }),
  searchData: createRoute({
    operationId: "searchData",
    method: "get",
    path: "/api/climate-nextgen/databrowser/data-search/{flavour}/{uniq_key}",
    security: [],
    request: { params: z.strictObject({ "flavour": Flavour, "uniq_key": UniqKey }), query: z.unknown().transform(decodeQuery([{"name":"start","kind":"integer"},{"name":"multi-version","kind":"boolean"},{"name":"translate","kind":"boolean"},{"name":"time","kind":"array"},{"name":"time_select","kind":"string"},{"name":"bbox","kind":"array"},{"name":"bbox_select","kind":"string"},{"name":"filters","kind":"free-form"}])).pipe(z.strictObject({ "start": z.int().min(0).max(2147483647).default(0), "multi-version": z.boolean().default(false), "translate": z.boolean().default(true), "time": z.array(z.string().min(1)).optional(), "time_select": Select, "bbox": z.array(z.string().min(1)).optional(), "bbox_select": Select, "filters": z.record(z.string(), z.array(z.string().min(1))) })) },
    responses: { 200: { description: "One location a line; nothing at all when nothing matches.", content: { "text/plain": { schema: z.string() } } }, 422: { description: "A parameter is unknown or has a value that is not valid; `errors` names each.", content: { "application/problem+json": { schema: Problem } } }, 500: { description: "The service failed. What went wrong is in its log, not in the answer.", content: { "application/problem+json": { schema: Problem } } }, 503: { description: "The search backend cannot be reached, or did not answer in time.", content: { "application/problem+json": { schema: Problem } } } },
  }),
  searchMetadata: createRoute({
    operationId: "searchMetadata",
    method: "get",
    path: "/api/climate-nextgen/databrowser/metadata-search/{flavour}/{uniq_key}",
    security: [],
    request: { params: z.strictObject({ "flavour": Flavour, "uniq_key": UniqKey }), query: z.unknown().transform(decodeQuery([{"name":"facets","kind":"array"},{"name":"multi-version","kind":"boolean"},{"name":"translate","kind":"boolean"},{"name":"time","kind":"array"},{"name":"time_select","kind":"string"},{"name":"bbox","kind":"array"},{"name":"bbox_select","kind":"string"},{"name":"filters","kind":"free-form"}])).pipe(z.strictObject({ "facets": z.array(z.string().min(1)).optional(), "multi-version": z.boolean().default(false), "translate": z.boolean().default(true), "time": z.array(z.string().min(1)).optional(), "time_select": Select, "bbox": z.array(z.string().min(1)).optional(), "bbox_select": Select, "filters": z.record(z.string(), z.array(z.string().min(1))) })), headers: z.object({ "If-None-Match": z.string().optional() }) },
    responses: { 200: { description: "The number of entries and their facet values.", content: { "application/json": { schema: MetadataSearchResult } } }, 304: { description: "The answer has not changed since the one with the given ETag." }, 422: { description: "A parameter is unknown or has a value that is not valid; `errors` names each.", content: { "application/problem+json": { schema: Problem } } }, 500: { description: "The service failed. What went wrong is in its log, not in the answer.", content: { "application/problem+json": { schema: Problem } } }, 503: { description: "The search backend cannot be reached, or did not answer in time.", content: { "application/problem+json": { schema: Problem } } } },
  }),
  createIntakeCatalogue: createRoute({
    operationId: "createIntakeCatalogue",
    method: "get",
    path: "/api/climate-nextgen/databrowser/intake-catalogue/{flavour}/{uniq_key}",
    security: [],
    request: { params: z.strictObject({ "flavour": Flavour, "uniq_key": UniqKey }), query: z.unknown().transform(decodeQuery([{"name":"start","kind":"integer"},{"name":"max-results","kind":"integer"},{"name":"multi-version","kind":"boolean"},{"name":"translate","kind":"boolean"},{"name":"time","kind":"array"},{"name":"time_select","kind":"string"},{"name":"bbox","kind":"array"},{"name":"bbox_select","kind":"string"},{"name":"filters","kind":"free-form"}])).pipe(z.strictObject({ "start": z.int().min(0).max(2147483647).default(0), "max-results": z.int().min(-1).max(2147483647).refine((value) => value !== 0, "must not be 0").default(-1), "multi-version": z.boolean().default(false), "translate": z.boolean().default(true), "time": z.array(z.string().min(1)).optional(), "time_select": Select, "bbox": z.array(z.string().min(1)).optional(), "bbox_select": Select, "filters": z.record(z.string(), z.array(z.string().min(1))) })) },
    responses: { 200: { description: "The catalogue.", content: { "application/json": { schema: IntakeCatalogue } } }, 400: { description: "Nothing is found.", content: { "application/problem+json": { schema: Problem } } }, 413: { description: "More is found than max-results allows.", content: { "application/problem+json": { schema: Problem } } }, 422: { description: "A parameter is unknown or has a value that is not valid; `errors` names each.", content: { "application/problem+json": { schema: Problem } } }, 500: { description: "The service failed. What went wrong is in its log, not in the answer.", content: { "application/problem+json": { schema: Problem } } }, 503: { description: "The search backend cannot be reached, or did not answer in time.", content: { "application/problem+json": { schema: Problem } } } },
  }),
  createStacCatalogue: createRoute({
    operationId: "createStacCatalogue",
    method: "get",
    path: "/api/climate-nextgen/databrowser/stac-catalogue/{flavour}/{uniq_key}",
    security: [],
    request: { params: z.strictObject({ "flavour": Flavour, "uniq_key": UniqKey }), query: z.unknown().transform(decodeQuery([{"name":"start","kind":"integer"},{"name":"max-results","kind":"integer"},{"name":"multi-version","kind":"boolean"},{"name":"translate","kind":"boolean"},{"name":"time","kind":"array"},{"name":"time_select","kind":"string"},{"name":"bbox","kind":"array"},{"name":"bbox_select","kind":"string"},{"name":"filters","kind":"free-form"}])).pipe(z.strictObject({ "start": z.int().min(0).max(2147483647).default(0), "max-results": z.int().min(-1).max(2147483647).refine((value) => value !== 0, "must not be 0").default(-1), "multi-version": z.boolean().default(false), "translate": z.boolean().default(true), "time": z.array(z.string().min(1)).optional(), "time_select": Select, "bbox": z.array(z.string().min(1)).optional(), "bbox_select": Select, "filters": z.record(z.string(), z.array(z.string().min(1))) })) },
    responses: { 200: { description: "The zip archive.", content: { "application/zip": { schema: z.string() } } }, 404: { description: "Nothing is found.", content: { "application/problem+json": { schema: Problem } } }, 413: { description: "More is found than max-results allows.", content: { "application/problem+json": { schema: Problem } } }, 422: { description: "A parameter is unknown or has a value that is not valid; `errors` names each.", content: { "application/problem+json": { schema: Problem } } }, 500: { description: "The service failed. What went wrong is in its log, not in the answer.", content: { "application/problem+json": { schema: Problem } } }, 503: { description: "The search backend cannot be reached, or did not answer in time.", content: { "application/problem+json": { schema: Problem } } } },
  }),
  ping: createRoute({
    operationId: "ping",
    method: "get",
    path: "/api/climate-nextgen/ping",
    security: [],
    request: { params: z.strictObject({  }) },
    responses: { 200: { description: "The process lives.", content: { "application/json": { schema: Status } } }, 500: { description: "The service failed. What went wrong is in its log, not in the answer.", content: { "application/problem+json": { schema: Problem } } } },
  }),
  ready: createRoute({
    operationId: "ready",
    method: "get",
    path: "/api/climate-nextgen/ready",
    security: [],
    request: { params: z.strictObject({  }) },
    responses: { 200: { description: "Solr answers.", content: { "application/json": { schema: Status } } }, 500: { description: "The service failed. What went wrong is in its log, not in the answer.", content: { "application/problem+json": { schema: Problem } } }, 503: { description: "The search backend cannot be reached, or did not answer in time.", content: { "application/problem+json": { schema: Problem } } } },
  }),
} as const;
