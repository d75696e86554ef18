/** Gives every answer its headers for security and other origins, and compresses it for a client that accepts this. */
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { compress } from "hono/compress";
import { cors } from "hono/cors";
import { secureHeaders } from "hono/secure-headers";
import { remembered } from "../../platform/concurrency/single-flight.js";
import { placeOf, readyAnswer } from "./direct-response.js";

/** Headers that pages of other origins may read. */
const EXPOSED = [
  "ETag",
  "Retry-After",
  "RateLimit",
  "RateLimit-Policy",
  "WWW-Authenticate",
  "Content-Disposition",
  "Content-Length",
  "Content-Range",
  "Accept-Ranges",
  "Unknown-Values",
  "Link",
  "X-Request-Id",
];

/** Security headers. Those about TLS are the proxy's task. */
const HEADERS = {
  crossOriginResourcePolicy: "cross-origin",
  strictTransportSecurity: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
} as const;

const ANY = "*";

const nothing = async (): Promise<void> => {};

/**
 * The middleware around all others.
 *
 * @param corsOrigins origins whose pages may call the API; `*` for all
 */
export function standingMiddleware(corsOrigins: readonly string[]): MiddlewareHandler {
  const secure = secureHeaders(HEADERS);
  const allowOrigins = cors({
    origin: corsOrigins.includes(ANY) ? ANY : [...corsOrigins],
    allowMethods: ["GET", "HEAD", "POST", "PUT", "DELETE"],
    exposeHeaders: EXPOSED,
    maxAge: 86_400,
  });
  const compressed = compress();
  const standing = new StandingHeaders([secure, allowOrigins], corsOrigins);
  return async (c, next) => {
    if (c.req.method === "OPTIONS") {
      const answer = await allowOrigins(c, next);
      if (answer !== undefined) c.res = answer;
      return secure(c, nothing);
    }
    await next();
    const ready = readyAnswer(c.res, placeOf(c));
    if (ready === undefined) {
      // They work on the answer: with headers set before it, Hono copies every answer into a stream.
      for (const middleware of [compressed, allowOrigins, secure]) await middleware(c, nothing);
      return;
    }
    const { Vary: varies, ...headers } = await standing.of(c.req.header("Origin"));
    const vary = [ready.headers.Vary, varies].filter((one) => one !== undefined).join(", ");
    ready.headers = { ...ready.headers, ...headers, ...(vary !== "" && { Vary: vary }) };
  };
}

/** The headers that the middlewares give to an empty answer, for each origin that may call. */
class StandingHeaders {
  readonly #byOrigin = new Map<string, Promise<Readonly<Record<string, string>>>>();
  readonly #app = new Hono();
  readonly #origins: readonly string[];

  constructor(middlewares: readonly MiddlewareHandler[], origins: readonly string[]) {
    this.#origins = origins;
    this.#app.use(...middlewares).get("/", (c: Context) => c.body(null));
  }

  of(origin = ""): Promise<Readonly<Record<string, string>>> {
    const key = this.#origins.includes(origin) ? origin : "";
    return remembered(this.#byOrigin, key, () => this.#make(key));
  }

  async #make(origin: string): Promise<Readonly<Record<string, string>>> {
    const { headers } = await this.#app.request("/", { headers: { Origin: origin } });
    const { vary, ...rest } = Object.fromEntries(headers);
    return vary === undefined ? rest : { ...rest, Vary: vary };
  }
}
