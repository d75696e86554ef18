/** The flavours of the service, and which one a search is in where its address does not say. */
import { search } from "../address/address.js";
import { useAnswer } from "./answer.js";
import { type Answer, ask } from "./request.js";

export type Overview = Answer<"/databrowser/overview">;

/** The flavours that whoever is signed in may use. */
export const useOverview = () =>
  useAnswer("overview", (signal) => ask("/databrowser/overview", { signal }));

/** The flavour of the present search; undefined as long as the service's first one is not known. */
export function useFlavour(): string | undefined {
  const { flavour } = search.value;
  const overview = useAnswer(flavour === undefined ? "overview" : undefined, (signal) =>
    ask("/databrowser/overview", { signal }),
  );
  return flavour ?? overview.value?.flavours[0];
}
