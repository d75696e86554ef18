/** The headers of every answer: for security, and for pages of other origins (Fetch Standard, CORS protocol). */
import { type Answer, varying } from "./answer.js";

/** Headers that pages of other origins may read. */
const EXPOSED = [
  "ETag",
  "Repr-Digest",
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

/** Those about TLS are the proxy's task. */
const SECURITY = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "cross-origin",
  "Origin-Agent-Cluster": "?1",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "SAMEORIGIN",
};

const PREFLIGHT = {
  "Access-Control-Allow-Methods": "GET,HEAD,POST,PUT,DELETE",
  /** Seconds. */
  "Access-Control-Max-Age": "86400",
};

const ANY = "*";

type Headers = Readonly<Record<string, string>>;

export class StandingHeaders {
  readonly #byOrigin: ReadonlyMap<string, Headers>;
  readonly #others: Headers;
  /** Whether they differ between origins. */
  readonly #varies: boolean;

  /** @param origins whose pages may call the API; `*` for all */
  constructor(origins: readonly string[]) {
    const isAny = origins.includes(ANY);
    this.#varies = !isAny;
    this.#others = isAny ? allowing(ANY) : allowing(undefined);
    this.#byOrigin = new Map(isAny ? [] : origins.map((origin) => [origin, allowing(origin)]));
  }

  /** An answer's own headers with these. */
  of(origin: string | undefined, headers: Headers): Record<string, string> {
    const standing = (origin && this.#byOrigin.get(origin)) || this.#others;
    const all = { ...headers, ...standing };
    return this.#varies ? { ...all, Vary: varying(headers.Vary, "Origin") } : all;
  }

  /** Answers what a browser asks before a page's request to another origin. */
  preflight(wanted: string | undefined): Answer {
    const names = wanted
      ?.split(",")
      .map((name) => name.trim())
      .join(",");
    const headers = names
      ? { "Access-Control-Allow-Headers": names, Vary: "Access-Control-Request-Headers" }
      : {};
    return { status: 204, headers: { ...PREFLIGHT, ...headers } };
  }
}

function allowing(origin: string | undefined): Headers {
  const allowed = origin === undefined ? {} : { "Access-Control-Allow-Origin": origin };
  const exposed = { "Access-Control-Expose-Headers": EXPOSED.join(",") };
  return Object.freeze({ ...SECURITY, ...allowed, ...exposed });
}
