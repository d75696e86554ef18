/** The facts about the archive on the first screen. Pure, but for its requests. */
import { type Counted, countFacets, type Facet, facetsOf } from "../search/facets.js";
import { loadLongNames, longName } from "../search/long-names.js";
import { searchedText } from "../search/value-text.js";
import { type Answer, getJson, type Pairs } from "../service/request.js";

const YEARS = "/databrowser/years/{flavour}";

/** Projects with a tile. */
const MAX_TILES = 6;
/** Bars of the picture, at most. */
const MAX_BARS = "100";
const MAX_EXAMPLES = 3;
/** Letters of an abbreviation. */
const MAX_ABBREVIATION = 6;

export type Years = Answer<typeof YEARS>;

export interface Tile {
  readonly name: string;
  readonly files: number;
  readonly years: Years;
  readonly pairs: Pairs;
}

export interface Example {
  /** Its values in words. */
  readonly texts: readonly string[];
  readonly files: number;
  readonly pairs: Pairs;
}

export interface About {
  readonly tiles: readonly Tile[];
  /** Projects without a tile. */
  readonly more: number;
  readonly years: Years;
  readonly examples: readonly Example[];
}

/** @param counted the facets of the whole archive */
export async function about(
  flavour: string,
  counted: Counted,
  signal: AbortSignal,
): Promise<About> {
  const facets = new Map(facetsOf(counted).map((facet) => [facet.native, facet]));
  const project = facets.get("project");
  const values = project?.values ?? [];
  const yearsOf = (query: Pairs): Promise<Years> =>
    getJson(YEARS, { in: { flavour }, query: [...query, ["bars", MAX_BARS]], signal });
  const tile = async ({ value, count }: Facet["values"][number]): Promise<Tile> => {
    const pairs: Pairs = [[project?.name ?? "", searchedText(value)]];
    return { name: projectName(value), files: count, years: await yearsOf(pairs), pairs };
  };
  const [years, examples, ...tiles] = await Promise.all([
    yearsOf([]),
    examplesOf(flavour, facets, signal),
    ...values.slice(0, MAX_TILES).map(tile),
  ]);
  return { tiles, more: Math.max(0, values.length - MAX_TILES), years, examples };
}

/** Values are in lower case; abbreviations are read in capitals. */
const projectName = (value: string): string =>
  /\d/.test(value) || value.length <= MAX_ABBREVIATION
    ? value.toUpperCase()
    : value.slice(0, 1).toUpperCase() + value.slice(1);

/** A value as scientists say it: experiments by their codes, models in capitals, the others by their long names. */
function said(native: string, value: string): string {
  if (native === "experiment") return value;
  if (native === "model" || native === "institute") return value.toUpperCase();
  if (native === "project") return projectName(value);
  const text = longName(native, value) ?? value;
  return native === "variable" ? text : text.toLowerCase();
}

/** Each example has a value of the first facets, and the most frequent value beside it of one of the second ones. */
const FIRST = ["variable", "experiment", "project", "model"] as const;
const SECOND = [
  ["experiment", "time_frequency", "model"],
  ["model", "institute", "time_frequency"],
  ["time_frequency", "realm", "experiment"],
] as const;

/** Codes without a known name say nothing to a newcomer; projects and models are their own names. */
const isTelling = (native: string, value: string): boolean =>
  native === "project" || native === "model" || longName(native, value) !== undefined;

async function examplesOf(
  flavour: string,
  facets: ReadonlyMap<string, Facet>,
  signal: AbortSignal,
): Promise<Example[]> {
  await loadLongNames();
  const firsts = FIRST.flatMap((native) => {
    const facet = facets.get(native);
    const values = facet?.values.filter(
      ({ value, count }) => count > 0 && isTelling(native, value),
    );
    return (values ?? []).map(({ value, count }) => ({
      native,
      name: facet?.name ?? "",
      value,
      count,
    }));
  }).slice(0, MAX_EXAMPLES);
  return Promise.all(
    firsts.map(async ({ native, name, value, count }, at): Promise<Example> => {
      const pairs: Pairs = [[name, searchedText(value)]];
      const text = said(native, value);
      const wanted = (SECOND[at] ?? []).flatMap((one) => facets.get(one)?.name ?? []);
      const others = await countFacets(flavour, pairs, wanted, signal);
      for (const other of SECOND[at] ?? []) {
        const next = others.find((facet) => facet.native === other);
        const best = next?.values[0];
        if (other === native || next === undefined || best === undefined) continue;
        return {
          texts: [text, said(other, best.value)],
          files: best.count,
          pairs: [...pairs, [next.name, searchedText(best.value)]],
        };
      }
      return { texts: [text], files: count, pairs };
    }),
  );
}
