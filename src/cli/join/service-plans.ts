/** Plans of the joined stores of what a search finds, as a service makes them. */
import { setTimeout as wait } from "node:timers/promises";
import type { components } from "../../../generated/openapi.js";
import type { JoinKind } from "../../files/zarr/join/recipe.js";
import { type CredentialOptions, credentialsOf } from "../accounts/credentials.js";
import { accessToken } from "../client/authenticate.js";
import { BrowseError, type BrowseRequest, browseJson } from "../client/browse.js";
import { DEFAULT_HOST, serviceAddress } from "../client/service-address.js";
import { readWords } from "../search/words.js";
import { report } from "../terminal/print-line.js";
import { printable } from "../terminal/printable.js";

export interface PlanOptions extends CredentialOptions {
  readonly missing?: string;
  readonly strict?: boolean;
  readonly json?: boolean;
  readonly search?: boolean;
  readonly by?: JoinKind;
}

type Schemas = components["schemas"];

/** The joined store of a dataset. A single file has no plan. */
type PlannedStore = Schemas["Join"] & { readonly joined?: Schemas["JoinPlan"] };

/**
 * @param words a flavour and filters, as of a search
 * @throws AuthenticationError, BrowseError, WrongUse
 */
export async function* servicePlans(
  words: readonly string[],
  options: PlanOptions,
): AsyncGenerator<PlannedStore> {
  const { host = DEFAULT_HOST } = options;
  const { flavour, filters } = readWords(words);
  const credentials = await credentialsOf(options);
  const asked = async <T>(request: Omit<BrowseRequest, "type" | "token">): Promise<T> => {
    // Called for each request, because planning may take longer than a token is valid.
    const token = await accessToken(credentials);
    return browseJson<T>(serviceAddress(host), { ...request, area: "data-portal", token });
  };
  const parameters: Record<string, string[]> = {};
  for (const [key, value] of filters) parameters[key] = [...(parameters[key] ?? []), value];
  const body: Schemas["JoinRequest"] = {
    flavour,
    parameters,
    ...(options.by && { by: options.by }),
    ...(options.missing === "fill" && { missing: "fill" as const }),
    ...(options.strict && { strict: true }),
  };
  const { joins } = await asked<Schemas["Joins"]>({ path: ["zarr", "join"], body });
  for (const one of joins) {
    if (one.plan === undefined) yield one;
    else yield { ...one, joined: await planned(one.url.split("/").at(-1) ?? "", asked) };
  }
}

/** The plan of a store; says how far it is until it is made. */
async function planned(
  store: string,
  asked: (request: Pick<BrowseRequest, "path">) => Promise<Schemas["JoinPlan"]>,
): Promise<Schemas["JoinPlan"]> {
  for (;;) {
    try {
      return await asked({ path: ["zarr", store, "plan"] });
    } catch (error) {
      const isPreparing =
        error instanceof BrowseError && error.type?.endsWith(":join-in-preparation") === true;
      if (!isPreparing || error.retryAfter === undefined) throw error;
      report(printable(error.message));
      await wait(1000 * error.retryAfter);
    }
  }
}
