import type { Principal } from "../../../identity/principal.js";
import { callersOwn } from "../common/private-cache-headers.js";
import type { Services } from "../services.js";

/** Headers of a list from which may be left out what its caller may not read: it is nobody else's. */
export const listCaching = (
  { principal }: { readonly principal?: Principal | undefined },
  { rights }: Pick<Services, "rights">,
): Readonly<Record<string, string>> => (rights?.hides ? callersOwn(principal) : {});
