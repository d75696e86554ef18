/** The view's first choice: the largest project, and the two facets that say most. */
import { search } from "../address/address.js";
import { type FacetValue, facetsOf } from "../search/facets.js";
import { searchedText } from "../search/value-text.js";
import { useAnswer } from "../service/answer.js";
import type { FacetNames } from "../service/facet-names.js";
import { getJson, type Pairs } from "../service/request.js";

interface Start {
  /** The most files first. */
  readonly projects: readonly FacetValue[];
  /** Names of facets with several values, in the order in which scientists ask for them. */
  readonly facets: readonly string[];
}

/** Facets that may be rows and columns, the best first. */
const BEST = ["model", "experiment", "variable", "time_frequency", "institute"] as const;

const PATH = "/databrowser/metadata-search/{flavour}/{uniq_key}";

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
    const count = async (query: Pairs) =>
      facetsOf(await getJson(PATH, { in: { flavour, uniq_key: "file" }, query, signal }));
    const some: Pairs = [first.project, ...(isNeeded ? BEST.map((one) => first[one]) : [])].map(
      (name) => ["facets", name],
    );
    const all = await count([...pairs, ...some]);
    const projects = isInProject
      ? []
      : (all.find(({ name }) => name === first.project)?.values ?? []);
    const [largest] = projects;
    // The project that is shown decides which facets say most.
    const shown =
      isNeeded && largest !== undefined
        ? await count([...pairs, [first.project, searchedText(largest.value)], ...some])
        : all;
    const several = BEST.map((one) => first[one]).filter((name) =>
      shown.some((facet) => facet.name === name && facet.values.length > 1),
    );
    return { projects, facets: several };
  }).value;
}

/** Rows and columns: those of the address, else facets with several values, else models and experiments. */
export function startFacets(
  { model, experiment }: FacetNames,
  several: readonly string[],
  rows: string | null,
  columns: string | null,
): readonly [row: string, column: string] {
  const wanted = [...several, model, experiment];
  const row = rows ?? wanted.find((name) => name !== columns) ?? model;
  const column = columns ?? wanted.find((name) => name !== row) ?? experiment;
  return [row, column];
}
