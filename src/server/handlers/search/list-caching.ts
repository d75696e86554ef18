import type { Principal } from "../../../identity/principal.js";
import { privateCacheHeaders } from "../common/private-cache-headers.js";
import type { Services } from "../services.js";

/** Cache headers of a list. A list that omits files its caller may not read is private to that caller. */
export const listCaching = (
  { principal }: { readonly principal?: Principal | undefined },
  { rights }: Pick<Services, "rights">,
): Readonly<Record<string, string>> => (rights?.hides ? privateCacheHeaders(principal) : {});
