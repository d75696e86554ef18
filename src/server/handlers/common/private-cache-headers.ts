import type { Principal } from "../../../identity/principal.js";

/** Headers of an answer that depends on the caller: with a token, no cache may store it. */
export const privateCacheHeaders = (
  principal: Principal | undefined,
): Readonly<Record<string, string>> => ({
  "Cache-Control": principal === undefined ? "no-cache" : "private, no-store",
  Vary: "Authorization",
});
