/** A question that has an answer in this archive: models with two experiments of two variables. */
import { search } from "../address/address.js";
import { countFacets } from "../search/facets.js";
import { useAnswer } from "../service/answer.js";
import type { FacetNames } from "../service/facet-names.js";
import { getJson, type Pairs } from "../service/request.js";
import { EMPTY_NEED, type Form, type NeedRow, needText } from "./needs.js";

/** Well-known values, taken if the archive has them; otherwise those of the most files. */
const EXPERIMENTS = ["historical", "ssp585"];
const VARIABLES = ["tas", "pr"];

const COMPLETE = "/databrowser/complete/{flavour}";

const two = (known: readonly string[], there: readonly string[]): readonly string[] =>
  [...new Set([...known.filter((one) => there.includes(one)), ...there])].slice(0, 2);

/** A form for each combination; groups are models. */
function formFor(
  { first }: FacetNames,
  experiments: readonly string[],
  variables: readonly string[],
): Form {
  const rows = experiments.flatMap((experiment) =>
    variables.map(
      (variable): NeedRow => ({
        ...EMPTY_NEED,
        pairs: [
          { name: first.experiment, value: experiment },
          { name: first.variable, value: variable },
        ],
      }),
    ),
  );
  return { groupBy: [first.model], rows };
}

const pairsOf = ({ groupBy, rows }: Form): Pairs => [
  ["group_by", groupBy.join(",")],
  ...rows.flatMap((row) => ("text" in row ? [] : [["need", needText(row, groupBy)] as const])),
];

/**
 * The first form, of the largest, that some model meets; undefined while it is looked for, and null if there is none.
 *
 * @param isNeeded whether the form is empty
 */
export function useExample(facets: FacetNames, isNeeded: boolean): Form | null | undefined {
  const { pairs } = search.value;
  const key = isNeeded ? JSON.stringify([facets.flavour, pairs]) : undefined;
  return useAnswer(key, async (signal) => {
    const { flavour, first } = facets;
    const names = [first.experiment, first.variable];
    const counted = await countFacets(flavour, pairs, names, signal);
    const [experiments, variables] = names.map((name) =>
      (counted.find((facet) => facet.name === name)?.values ?? []).map(({ value }) => value),
    );
    const [both, all] = [two(EXPERIMENTS, experiments ?? []), two(VARIABLES, variables ?? [])];
    for (const form of [
      formFor(facets, both, all),
      formFor(facets, both, all.slice(0, 1)),
      formFor(facets, both.slice(0, 1), all),
      formFor(facets, both.slice(0, 1), all.slice(0, 1)),
    ]) {
      if (form.rows.length === 0) continue;
      const query: Pairs = [...pairs, ...pairsOf(form), ["near", "0"]];
      const { complete_count } = await getJson(COMPLETE, { in: { flavour }, query, signal });
      if (complete_count > 0) return form;
    }
    return null;
  }).value;
}
