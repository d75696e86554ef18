/** Numbers about the constraints of a search -> what is told of them. */
import type { components } from "../../generated/openapi.js";
import type { AskedConstraint, AskedValue, WhyQuestion } from "../query/why.js";
import type { Breakdown, Numbers } from "../solr/breakdowns.js";
import { type CountedValue, nearValues } from "../vocabulary/near-values.js";
import { byValue } from "./buckets.js";

type Why = components["schemas"]["Why"];
type WhyConstraint = Why["constraints"][number];

/** Values that are told as near. */
const MAX_NEAR = 5;

const countOf = (numbers: Numbers, name: string): number =>
  (numbers[name] as Numbers | undefined)?.count ?? 0;

/** Values of a facet with the number of their documents. */
const countsOf = (facet: unknown): CountedValue[] =>
  byValue(facet, 0, (sum, { count }) => sum + count).map(([value, count]) => ({ value, count }));

function near(
  { value, literal, named }: AskedValue,
  known: readonly CountedValue[],
  numbers: Numbers,
): CountedValue[] {
  if (literal === undefined) return [];
  const asked = named === undefined ? undefined : (numbers[named] as Numbers | undefined);
  const called = countsOf(asked?.of)
    .filter((one) => one.value !== value)
    .sort((a, b) => b.count - a.count);
  const spelled = nearValues(literal, known, MAX_NEAR);
  const all = new Map([...called, ...spelled].map((one) => [one.value, one]));
  return [...all.values()].slice(0, MAX_NEAR);
}

function constraint(asked: AskedConstraint, numbers: Numbers): WhyConstraint {
  const { name, included, without, asked: values } = asked;
  const known = asked.known === undefined ? [] : countsOf(numbers[asked.known]);
  return {
    name: included ? name : `${name}_not_`,
    values: [...asked.values],
    count_without: countOf(numbers, without),
    unmatched: values
      .filter(({ count }) => countOf(numbers, count) === 0)
      .map((one) => ({ value: one.value, near: near(one, known, numbers) })),
  };
}

/** What is told of a search, and of what it does not find. */
export function why({ constraints, sets }: WhyQuestion, { found, numbers }: Breakdown): Why {
  const excluding = sets.find(({ count }) => countOf(numbers, count) === 0);
  return {
    total_count: found,
    constraints: constraints.map((asked) => constraint(asked, numbers)),
    excluding:
      found > 0 || excluding === undefined
        ? null
        : excluding.members.map(({ name, included }) => (included ? name : `${name}_not_`)),
  };
}
