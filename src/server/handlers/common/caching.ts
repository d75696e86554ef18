/** Headers for caches, and answers that no cache may keep. */
import type { Principal } from "../../../identity/principal.js";
import type { Services } from "../services.js";

type Headers = Readonly<Record<string, string>>;

export const NO_CACHE = { "Cache-Control": "no-cache" } as const;

/** Headers of an answer that depends on the caller: with a token, no cache may store it. */
export const privateCaching = (principal: Principal | undefined): Headers => ({
  "Cache-Control": principal === undefined ? "no-cache" : "private, no-store",
  Vary: "Authorization",
});

/**
 * Headers of a list. A cache must revalidate it: without a word some keep it for minutes. One that omits files its caller may not
 * read is private to that caller.
 */
export const listCaching = (
  { principal }: { readonly principal?: Principal | undefined },
  { rights }: Pick<Services, "rights">,
): Headers => (rights?.hides ? privateCaching(principal) : NO_CACHE);

/** Headers of answers that depend on the caller and that a cache must revalidate. */
export const PRIVATE = { "Cache-Control": "private, no-cache" } as const;
export const NO_STORE = { "Cache-Control": "no-store" } as const;

/** A JSON answer that no cache may keep. */
export const uncached = <B>(body: B) =>
  ({ status: 200, type: "application/json", headers: NO_STORE, body }) as const;
