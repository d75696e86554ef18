/** What is asked about the pairs of values of two facets that a search finds. */
import { InvalidParameters } from "../errors.js";
import { exists } from "../search/lucene.js";
import { facetsByName, type NamesInput, namingOf } from "../search/named-facets.js";
import { COUNTABLE_DETAILS, type CountableDetail } from "../vocabulary/details.js";
import { type CountedField, isSingle } from "../vocabulary/facets.js";
import { unknownName } from "../vocabulary/unknown-name.js";
import { eachKeptTerm, eachTerm, eachText, eachValue, type FacetTree } from "./facet-request.js";

export type Cells = "files" | "datasets" | "bytes" | "members" | "years";

export interface CoverageInput extends NamesInput {
  readonly query: NamesInput["query"] & {
    readonly rows: string;
    readonly columns: string;
    readonly cells: Cells;
  };
}

/** The two facets of a matrix, and what its cells tell. */
export interface Matrix {
  readonly rows: CountedField;
  readonly columns: CountedField;
  readonly cells: Cells;
}

/** Of these every value is a range: no two files have the same but by chance. */
const RANGES: readonly CountedField[] = ["time", "bbox"];
const COUNTED = COUNTABLE_DETAILS.filter(
  (detail): detail is Exclude<CountableDetail, "retracted"> => detail !== "retracted",
);

/** @throws InvalidParameters that tells which of the two is no such facet */
export function matrixOf(input: CoverageInput): Matrix {
  const { query } = input;
  const known = new Map<string, CountedField>([
    ...[...facetsByName(input)].filter(([, facet]) => !RANGES.includes(facet)),
    ...COUNTED.map((detail) => [detail, detail] as const),
  ]);
  const naming = namingOf(input);
  const reasonOf = (name: string): string => {
    if (RANGES.some((range) => range === name)) return "cannot be it: it has no values but ranges";
    if (name === "version") return "can be it with multi-version=true only";
    return unknownName(name, naming, [...known.keys()]);
  };
  const issues = (["rows", "columns"] as const)
    .filter((side) => !known.has(query[side]))
    .map((name) => {
      const reason = `${JSON.stringify(query[name])} ${reasonOf(query[name])}`;
      return { name, in: "query" as const, reason };
    });
  const [rows, columns] = [known.get(query.rows), known.get(query.columns)];
  if (rows === undefined || columns === undefined) throw new InvalidParameters(issues);
  return { rows, columns, cells: query.cells };
}

/** One of the two facets, or what stands in the cells one by one. */
export type Side = "rows" | "columns";
export type Level = Side | "parts";

/** How a matrix is asked for. */
export interface Plan {
  readonly matrix: Matrix;
  /** From outside to inside. */
  readonly levels: readonly Level[];
  readonly names: typeof NAMES;
  readonly facets: FacetTree;
  /** Whether numbers of two spellings of one value of the innermost level can be added up. */
  readonly canAdd: boolean;
}

/** Names of facets, by what they tell. */
const NAMES = {
  /** Of each level but the outermost inside of the one around it. */
  level: "of",
  number: "n",
  /** Inside of a value of the outermost level: all values of the innermost one. */
  all: "all",
  /** Beside all levels: of how many files it is known what the cells tell, or how many have each text of that. */
  known: "known",
  told: "told",
} as const;

/** How many values each side has, and how many there are of what is counted in the cells. */
export interface Sizes {
  readonly rows: number;
  readonly columns: number;
  readonly parts: number;
}

const PARTS = { datasets: "dataset_id", members: "ensemble", years: "time_raw" } as const;

/** The field whose values make up a cell; undefined where its files are counted or their sizes are summed up. */
export const partsField = ({ cells }: Matrix) =>
  cells === "files" || cells === "bytes" ? undefined : PARTS[cells];

/** Texts of which Solr keeps the documents each: finding these is a walk over all documents. */
const MAX_TEXTS = 16;
/** The same of terms, as it keeps those of 512 filters in all. */
const MAX_KEPT = 256;
/** To count different texts Solr has a bit for each of the index, for each value of the innermost facet. */
const MAX_BITS = 2 ** 29;

/** Solr goes through the documents of each value of all facets but the innermost, so that is the one with more values. */
const inOrder = ({ rows, columns }: Sizes): readonly [few: Side, many: Side] =>
  rows <= columns ? ["rows", "columns"] : ["columns", "rows"];

/**
 * The cheapest question for a matrix.
 *
 * @param isPlain whether Solr itself can count members: it is one index, and none of them is spelled in two ways
 */
export function planCoverage(matrix: Matrix, sizes: Sizes, isPlain: boolean): Plan {
  const { cells } = matrix;
  const field = partsField(matrix);
  const isCounted = cells === "datasets" || (cells === "members" && isPlain);
  if (field === undefined || isCounted) return byNumber(matrix, sizes, aggregateOf(matrix));
  if (cells !== "years" || sizes.parts > MAX_TEXTS) {
    return byTerms(matrix, sizes, { [NAMES.level]: eachValue(field) }, ["parts"]);
  }
  const [few, many] = inOrder(sizes);
  const all = eachValue(matrix[many]);
  const inside = { [NAMES.level]: eachText(field, { [NAMES.level]: all }), [NAMES.all]: all };
  const facets = { [NAMES.level]: eachTerm(matrix[few], inside), ...about(matrix) };
  return { matrix, names: NAMES, levels: [few, "parts", many], facets, canAdd: true };
}

/** The same where a value has two spellings in the innermost facet: Solr itself takes them for one. */
export const planByTerms = (matrix: Matrix, sizes: Sizes): Plan =>
  byTerms(matrix, sizes, numberOf(aggregateOf(matrix)), []);

/** How many parts each cell has, each spelling for itself: asked where they may be too many to be told. */
export const planOfParts = (matrix: Matrix, sizes: Sizes): Plan => ({
  ...byNumber(matrix, sizes, `unique(${partsField(matrix)})`),
  canAdd: true,
});

const numberOf = (aggregate: string | undefined): FacetTree =>
  aggregate === undefined ? {} : { [NAMES.number]: aggregate };

function byNumber(matrix: Matrix, sizes: Sizes, aggregate: string | undefined): Plan {
  const [few, many] = inOrder(sizes);
  const inside = numberOf(aggregate);
  const isUnique = aggregate?.startsWith("unique") === true;
  if (isUnique && sizes[many] * sizes.parts > MAX_BITS) return byTerms(matrix, sizes, inside, []);
  const of = { ...eachValue(matrix[many]), facet: inside };
  const facets = { [NAMES.level]: eachTerm(matrix[few], { [NAMES.level]: of }), ...about(matrix) };
  const canAdd = !isUnique && isSingle(matrix[many]);
  return { matrix, names: NAMES, levels: [few, many], facets, canAdd };
}

/** Both sides by terms: the inner one is gone through for each value of the outer one, unless its documents are kept. */
function byTerms(matrix: Matrix, sizes: Sizes, inside: FacetTree, more: readonly Level[]): Plan {
  const [few, many] = inOrder(sizes);
  const isTurned = sizes[many] > MAX_KEPT && sizes[few] <= MAX_KEPT;
  const [outer, inner] = isTurned ? [many, few] : [few, many];
  const each = sizes[inner] <= MAX_KEPT ? eachKeptTerm : eachTerm;
  const tree = eachTerm(matrix[outer], { [NAMES.level]: each(matrix[inner], inside) });
  const facets = { [NAMES.level]: tree, ...about(matrix) };
  return { matrix, names: NAMES, levels: [outer, inner, ...more], facets, canAdd: true };
}

function aggregateOf({ cells }: Matrix): string | undefined {
  if (cells === "bytes") return "sum(size)";
  return cells === "datasets" || cells === "members" ? `unique(${PARTS[cells]})` : undefined;
}

function about({ cells }: Matrix): FacetTree {
  if (cells === "files") return {};
  if (cells === "bytes") return { [NAMES.known]: "countvals(size)" };
  if (cells === "years") return { [NAMES.told]: eachValue(PARTS.years) };
  const known = { [NAMES.known]: { type: "query", q: exists(PARTS[cells]) } } as const;
  return cells === "datasets" ? known : { ...known, [NAMES.told]: eachValue(PARTS.members) };
}
