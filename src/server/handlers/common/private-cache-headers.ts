import type { Principal } from "../../../identity/principal.js";

/** Headers of an answer that depends on who asks: with a token it is nobody else's, and is kept nowhere. */
export const privateCacheHeaders = (
  principal: Principal | undefined,
): Readonly<Record<string, string>> => ({
  "Cache-Control": principal === undefined ? "no-cache" : "private, no-store",
  Vary: "Authorization",
});
