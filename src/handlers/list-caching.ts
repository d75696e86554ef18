import type { Principal } from "../auth/principal.js";
import { callersOwn } from "./callers-own.js";
import type { Services } from "./services.js";

/** Headers of a list from which may be left out what its caller may not read: it is nobody else's. */
export const listCaching = (
  { principal }: { readonly principal?: Principal | undefined },
  { rights }: Pick<Services, "rights">,
): Readonly<Record<string, string>> => (rights?.hides ? callersOwn(principal) : {});
