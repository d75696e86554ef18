/** The view's first choice: the largest project, and the two facets that say most. */
import { search } from "../address/address.js";
import { countFacets, type FacetValue } from "../search/facets.js";
import { searchedText } from "../search/value-text.js";
import { useAnswer } from "../service/answer.js";
import type { FacetNames } from "../service/facet-names.js";

interface Start {
  /** The most files first. */
  readonly projects: readonly FacetValue[];
  /** Names of facets with several values, in the order in which scientists ask for them. */
  readonly facets: readonly string[];
}

/** Facets that may be rows and columns, the best first. */
const BEST = ["model", "experiment", "variable", "time_frequency", "institute"] as const;

/** @param isInProject whether the search names a project @param isNeeded whether facets are chosen here */
export function useStart(
  facets: FacetNames | undefined,
  isInProject: boolean,
  isNeeded: boolean,
): Start | undefined {
  const { pairs } = search.value;
  const key =
    facets === undefined || (isInProject && !isNeeded)
      ? undefined
      : JSON.stringify([facets.flavour, pairs, isNeeded]);
  return useAnswer(key, async (signal) => {
    const { flavour, first } = facets as FacetNames;
    const some = [first.project, ...(isNeeded ? BEST.map((one) => first[one]) : [])];
    const all = await countFacets(flavour, pairs, some, signal);
    const projects = isInProject
      ? []
      : (all.find(({ name }) => name === first.project)?.values ?? []);
    const [largest] = projects;
    // The project that is shown decides which facets say most.
    const shown =
      isNeeded && largest !== undefined
        ? await countFacets(
            flavour,
            [...pairs, [first.project, searchedText(largest.value)]],
            some,
            signal,
          )
        : all;
    const several = BEST.map((one) => first[one]).filter((name) =>
      shown.some((facet) => facet.name === name && facet.values.length > 1),
    );
    return { projects, facets: several };
  }).value;
}

/** Rows and columns: those of the address, else facets with several values, else models and experiments. */
export function startFacets(
  { first: { model, experiment } }: FacetNames,
  several: readonly string[],
  rows: string | null,
  columns: string | null,
): readonly [row: string, column: string] {
  const wanted = [...several, model, experiment];
  const row = rows ?? wanted.find((name) => name !== columns) ?? model;
  const column = columns ?? wanted.find((name) => name !== row) ?? experiment;
  return [row, column];
}
