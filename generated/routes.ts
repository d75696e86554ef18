// Made from openapi.yaml by `npm run generate`; never edited.
import { createRoute, z } from "@hono/zod-openapi";
import { decodeQuery } from "../src/contract/decode-query.js";
import { Flavour, UniqKey, Select, Overview, MetadataSearchResult, Status, TokenRequest, Token, TokenStatus, UserInfo, RevocationRequest, IntrospectionRequest, Introspection, JsonWebKeySet, IssuerMetadata, Problem } from "./schemas.js";

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
  issueToken: createRoute({
    operationId: "issueToken",
    method: "post",
    path: "/api/climate-nextgen/auth/v2/token",
    security: [],
    request: { params: z.strictObject({  }), body: { required: true, content: { "application/x-www-form-urlencoded": { schema: TokenRequest } } } },
    responses: { 200: { description: "Both tokens.", content: { "application/json": { schema: Token } } }, 400: { description: "The request is not one that this endpoint understands (RFC 6749, 5.2).", content: { "application/problem+json": { schema: Problem } } }, 401: { description: "Credentials or a token are missing or rejected; `error` is the code of RFC 6749 or RFC 6750.", content: { "application/problem+json": { schema: Problem } } }, 413: { description: "The body is larger than such a request can be.", content: { "application/problem+json": { schema: Problem } } }, 415: { description: "The body is of another media type than this operation takes.", content: { "application/problem+json": { schema: Problem } } }, 422: { description: "A parameter is unknown or has a value that is not valid; `errors` names each.", content: { "application/problem+json": { schema: Problem } } }, 429: { description: "Too many failed sign-ins for this name or from this address.", content: { "application/problem+json": { schema: Problem } } }, 500: { description: "The service failed. What went wrong is in its log, not in the answer.", content: { "application/problem+json": { schema: Problem } } }, 503: { description: "The search backend cannot be reached, or did not answer in time.", content: { "application/problem+json": { schema: Problem } } } },
  }),
  tokenStatus: createRoute({
    operationId: "tokenStatus",
    method: "get",
    path: "/api/climate-nextgen/auth/v2/status",
    security: [{"password":[]},{"bearer":[]}],
    request: { params: z.strictObject({  }) },
    responses: { 200: { description: "The token is valid.", content: { "application/json": { schema: TokenStatus } } }, 401: { description: "Credentials or a token are missing or rejected; `error` is the code of RFC 6749 or RFC 6750.", content: { "application/problem+json": { schema: Problem } } }, 500: { description: "The service failed. What went wrong is in its log, not in the answer.", content: { "application/problem+json": { schema: Problem } } }, 503: { description: "The search backend cannot be reached, or did not answer in time.", content: { "application/problem+json": { schema: Problem } } } },
  }),
  userInfo: createRoute({
    operationId: "userInfo",
    method: "get",
    path: "/api/climate-nextgen/auth/v2/userinfo",
    security: [{"password":[]},{"bearer":[]}],
    request: { params: z.strictObject({  }) },
    responses: { 200: { description: "The holder of the token.", content: { "application/json": { schema: UserInfo } } }, 401: { description: "Credentials or a token are missing or rejected; `error` is the code of RFC 6749 or RFC 6750.", content: { "application/problem+json": { schema: Problem } } }, 500: { description: "The service failed. What went wrong is in its log, not in the answer.", content: { "application/problem+json": { schema: Problem } } }, 503: { description: "The search backend cannot be reached, or did not answer in time.", content: { "application/problem+json": { schema: Problem } } } },
  }),
  revokeToken: createRoute({
    operationId: "revokeToken",
    method: "post",
    path: "/api/climate-nextgen/auth/v2/revoke",
    security: [],
    request: { params: z.strictObject({  }), body: { required: true, content: { "application/x-www-form-urlencoded": { schema: RevocationRequest } } } },
    responses: { 200: { description: "The token is not valid, or not any more." }, 400: { description: "The request is not one that this endpoint understands (RFC 6749, 5.2).", content: { "application/problem+json": { schema: Problem } } }, 401: { description: "Credentials or a token are missing or rejected; `error` is the code of RFC 6749 or RFC 6750.", content: { "application/problem+json": { schema: Problem } } }, 413: { description: "The body is larger than such a request can be.", content: { "application/problem+json": { schema: Problem } } }, 415: { description: "The body is of another media type than this operation takes.", content: { "application/problem+json": { schema: Problem } } }, 422: { description: "A parameter is unknown or has a value that is not valid; `errors` names each.", content: { "application/problem+json": { schema: Problem } } }, 500: { description: "The service failed. What went wrong is in its log, not in the answer.", content: { "application/problem+json": { schema: Problem } } }, 503: { description: "The search backend cannot be reached, or did not answer in time.", content: { "application/problem+json": { schema: Problem } } } },
  }),
  introspectToken: createRoute({
    operationId: "introspectToken",
    method: "post",
    path: "/api/climate-nextgen/auth/v2/introspect",
    security: [{"password":[]},{"bearer":[]},{}],
    request: { params: z.strictObject({  }), body: { required: true, content: { "application/x-www-form-urlencoded": { schema: IntrospectionRequest } } } },
    responses: { 200: { description: "The claims of a valid token; of any other only that it is not active.", content: { "application/json": { schema: Introspection } } }, 400: { description: "The request is not one that this endpoint understands (RFC 6749, 5.2).", content: { "application/problem+json": { schema: Problem } } }, 401: { description: "Credentials or a token are missing or rejected; `error` is the code of RFC 6749 or RFC 6750.", content: { "application/problem+json": { schema: Problem } } }, 413: { description: "The body is larger than such a request can be.", content: { "application/problem+json": { schema: Problem } } }, 415: { description: "The body is of another media type than this operation takes.", content: { "application/problem+json": { schema: Problem } } }, 422: { description: "A parameter is unknown or has a value that is not valid; `errors` names each.", content: { "application/problem+json": { schema: Problem } } }, 500: { description: "The service failed. What went wrong is in its log, not in the answer.", content: { "application/problem+json": { schema: Problem } } }, 503: { description: "The search backend cannot be reached, or did not answer in time.", content: { "application/problem+json": { schema: Problem } } } },
  }),
  jwks: createRoute({
    operationId: "jwks",
    method: "get",
    path: "/api/climate-nextgen/auth/v2/jwks",
    security: [],
    request: { params: z.strictObject({  }) },
    responses: { 200: { description: "The keys.", content: { "application/json": { schema: JsonWebKeySet } } }, 500: { description: "The service failed. What went wrong is in its log, not in the answer.", content: { "application/problem+json": { schema: Problem } } } },
  }),
  openidConfiguration: createRoute({
    operationId: "openidConfiguration",
    method: "get",
    path: "/api/climate-nextgen/.well-known/openid-configuration",
    security: [],
    request: { params: z.strictObject({  }) },
    responses: { 200: { description: "The issuer's metadata.", content: { "application/json": { schema: IssuerMetadata } } }, 500: { description: "The service failed. What went wrong is in its log, not in the answer.", content: { "application/problem+json": { schema: Problem } } } },
  }),
  authorizationServerMetadata: createRoute({
    operationId: "authorizationServerMetadata",
    method: "get",
    path: "/api/climate-nextgen/.well-known/oauth-authorization-server",
    security: [],
    request: { params: z.strictObject({  }) },
    responses: { 200: { description: "The issuer's metadata.", content: { "application/json": { schema: IssuerMetadata } } }, 500: { description: "The service failed. What went wrong is in its log, not in the answer.", content: { "application/problem+json": { schema: Problem } } } },
  }),
  authorizationServerMetadataAtRoot: createRoute({
    operationId: "authorizationServerMetadataAtRoot",
    method: "get",
    path: "/.well-known/oauth-authorization-server/api/climate-nextgen",
    security: [],
    request: { params: z.strictObject({  }) },
    responses: { 200: { description: "The issuer's metadata.", content: { "application/json": { schema: IssuerMetadata } } }, 500: { description: "The service failed. What went wrong is in its log, not in the answer.", content: { "application/problem+json": { schema: Problem } } } },
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

/** Whether an operation needs an access token, or takes one beside other ways in. */
export const ACCESS = {
  getOverview: "public",
  searchData: "public",
  searchMetadata: "public",
  issueToken: "public",
  tokenStatus: "required",
  userInfo: "required",
  revokeToken: "public",
  introspectToken: "optional",
  jwks: "public",
  openidConfiguration: "public",
  authorizationServerMetadata: "public",
  authorizationServerMetadataAtRoot: "public",
  ping: "public",
  ready: "public",
} as const;
