/** The flavours of the service, and the default one. */
import { search } from "../address/address.js";
import { useAnswer } from "./answer.js";
import { type Answer, getJson } from "./request.js";

/** The flavours that the user may use. */
export const useOverview = () =>
  useAnswer("overview", (signal) => getJson("/databrowser/overview", { signal }));

/** The flavour of the current search; undefined until the service's default is known. */
export function useFlavour(): string | undefined {
  const { flavour } = search.value;
  const overview = useAnswer(flavour === undefined ? "overview" : undefined, (signal) =>
    getJson("/databrowser/overview", { signal }),
  );
  return flavour ?? overview.value?.flavours[0];
}

/** A flavour as the service lists it. */
export type Definition = Answer<"/databrowser/flavours">["flavours"][number];
