/** Solr facets that count the pairs of values of two facets within a search. */
import { InvalidParameters } from "../errors.js";
import { exists } from "../search/lucene.js";
import { facetsByName, type NamesInput, namingOf } from "../search/named-facets.js";
import { COUNTABLE_DETAILS } from "../vocabulary/details.js";
import { type CountedField, isSingle } from "../vocabulary/facets.js";
import { unknownName } from "../vocabulary/unknown-name.js";
import { eachTerm, eachValue, type FacetTree, MAX_UNIQUE_BITS } from "./facet-request.js";

type Cells = "files" | "datasets" | "bytes" | "members" | "years";

interface CoverageInput extends NamesInput {
  readonly query: NamesInput["query"] & {
    readonly rows: string;
    readonly columns: string;
    readonly cells?: Cells | undefined;
  };
}

/** Two facets, and what the cells of their matrix count. */
export interface Matrix {
  readonly rows: CountedField;
  readonly columns: CountedField;
  readonly cells: Cells;
}

/** Facets whose values are ranges: two files share one only by chance. */
const RANGES: readonly CountedField[] = ["time", "bbox"];
/** @throws InvalidParameters for each side that is not a facet with discrete values */
export function matrixOf(input: CoverageInput): Matrix {
  const { query } = input;
  const known = new Map<string, CountedField>([
    ...[...facetsByName(input)].filter(([, facet]) => !RANGES.includes(facet)),
    ...COUNTABLE_DETAILS.map((detail) => [detail, detail] as const),
  ]);
  const naming = namingOf(input);
  const reasonOf = (name: string): string => {
    if (RANGES.some((range) => range === name)) {
      return "cannot be used: it is a range without discrete values";
    }
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
  return { rows, columns, cells: query.cells ?? "files" };
}

/** A facet of the matrix, or the values that a cell is made of. */
type Side = "rows" | "columns";
type Level = Side | "parts";

/** The Solr facets of a matrix, and how to read their counts. */
export interface Plan {
  readonly matrix: Matrix;
  /** From outside to inside. */
  readonly levels: readonly Level[];
  readonly facets: FacetTree;
  /** Whether counts of two spellings of one innermost value can be added. */
  readonly canAdd: boolean;
}

/** Names of facets in the request to Solr. */
export const NAMES = {
  /** The next level inside a value. */
  level: "of",
  number: "n",
  /** Inside a value of the outermost level: all values of the innermost level. */
  all: "all",
  /** Beside the levels: how many files have the counted field. */
  known: "known",
  /** Beside the levels: how many files have each value of it. */
  texts: "texts",
} as const;

/** Number of distinct values of each side and of the field counted in the cells. */
export interface Sizes {
  readonly rows: number;
  readonly columns: number;
  readonly parts: number;
  /** Those of all files of the index. */
  readonly partsOfIndex: number;
}

const PARTS = { datasets: "dataset_id", members: "ensemble", years: "time_raw" } as const;

/** The field whose values are counted in a cell; undefined for files and bytes. */
export const partsField = ({ cells }: Matrix) =>
  cells === "files" || cells === "bytes" ? undefined : PARTS[cells];

/** Up to this many texts are facets with subfacets: Solr walks all documents for each. */
const MAX_TEXTS = 16;
/** Up to this many terms are cached as filters; Solr's filter cache holds 512. */
const MAX_CACHED_TERMS = 256;

/** Solr walks the documents of each value of the outer facets, so the facet with more values goes inside. */
const inOrder = ({ rows, columns }: Sizes): readonly [few: Side, many: Side] =>
  rows <= columns ? ["rows", "columns"] : ["columns", "rows"];

/**
 * The cheapest plan for a matrix.
 *
 * @param isPlain whether Solr can count members itself: one shard, and no member in two spellings
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
  const texts = { ...eachValue(field), facet: { [NAMES.level]: all } };
  const inside = { [NAMES.level]: texts, [NAMES.all]: all };
  const facets = { [NAMES.level]: eachTerm(matrix[few], inside), ...about(matrix) };
  return { matrix, levels: [few, "parts", many], facets, canAdd: true };
}

/** The plan for facets with values in two spellings: Solr's terms unite the spellings. */
export const planByTerms = (matrix: Matrix, sizes: Sizes): Plan =>
  byTerms(matrix, sizes, numberOf(aggregateOf(matrix)), []);

/** Plan that counts the parts of each cell per spelling, to check that their number is bounded. */
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
  if (isUnique && sizes[many] * sizes.partsOfIndex > MAX_UNIQUE_BITS)
    return byTerms(matrix, sizes, inside, []);
  const of = { ...eachValue(matrix[many]), facet: inside };
  const facets = { [NAMES.level]: eachTerm(matrix[few], { [NAMES.level]: of }), ...about(matrix) };
  const canAdd = !isUnique && isSingle(matrix[many]);
  return { matrix, levels: [few, many], facets, canAdd };
}

/** Both sides by terms: the inner side is walked for each outer value, unless its documents are cached. */
function byTerms(matrix: Matrix, sizes: Sizes, inside: FacetTree, more: readonly Level[]): Plan {
  const [few, many] = inOrder(sizes);
  const isTurned = sizes[many] > MAX_CACHED_TERMS && sizes[few] <= MAX_CACHED_TERMS;
  const [outer, inner] = isTurned ? [many, few] : [few, many];
  const each = eachTerm(matrix[inner], inside);
  // Solr caches the documents of few terms instead of walking them for each outer value.
  const of = sizes[inner] <= MAX_CACHED_TERMS ? { ...each, cacheDf: 1 } : each;
  const tree = eachTerm(matrix[outer], { [NAMES.level]: of });
  const facets = { [NAMES.level]: tree, ...about(matrix) };
  return { matrix, levels: [outer, inner, ...more], facets, canAdd: true };
}

function aggregateOf({ cells }: Matrix): string | undefined {
  if (cells === "bytes") return "sum(size)";
  return cells === "datasets" || cells === "members" ? `unique(${PARTS[cells]})` : undefined;
}

function about({ cells }: Matrix): FacetTree {
  if (cells === "files") return {};
  if (cells === "bytes") return { [NAMES.known]: "countvals(size)" };
  if (cells === "years") return { [NAMES.texts]: eachValue(PARTS.years) };
  const known = { [NAMES.known]: { type: "query", q: exists(PARTS[cells]) } } as const;
  return cells === "datasets" ? known : { ...known, [NAMES.texts]: eachValue(PARTS.members) };
}
