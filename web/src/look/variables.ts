/** The variables of a dataset that can be drawn, and their dimensions. */
import type { Pairs } from "../service/request.js";
import type { Axis, Dataset, Geometry, Group, Indexes, Variable } from "./data/types.js";

/** All variables, those of subgroups last. */
export const allVariables = (group: Group): Variable[] => [
  ...group.variables,
  ...group.groups.flatMap(allVariables),
];

/** Numeric types of zarr v2 and v3. */
const isNumeric = ({ type }: Variable): boolean => /^([<>|]?[iufb]\d|u?int|float|bool)/.test(type);

/** Variables offered: data first, then coordinates. */
export function drawable(dataset: Dataset): Variable[] {
  const numbers = allVariables(dataset).filter(
    (one) => isNumeric(one) && one.shape.length > 0 && one.shape.every((length) => length > 0),
  );
  const data = numbers.filter(({ role }) => role === "data");
  return [...data, ...numbers.filter((one) => !data.includes(one) && one.role !== "bounds")];
}

/** The default variable: the one with most dimensions among the data. */
export function firstOf(variables: readonly Variable[]): Variable | undefined {
  const data = variables.filter(({ role }) => role === "data");
  const among = data.length > 0 ? data : variables;
  return among.reduce<Variable | undefined>(
    (best, one) => (best === undefined || one.shape.length > best.shape.length ? one : best),
    undefined,
  );
}

/** The dimensions that the picture shows. */
export function drawnDimensions(geometry: Geometry): string[] {
  if (geometry.kind === "points") return [geometry.dimension];
  const { xDimension, yDimension } = geometry;
  return [yDimension, xDimension].filter((name) => name !== undefined);
}

/** The dimensions that have sliders. */
export const otherAxes = (axes: readonly Axis[], geometry: Geometry): Axis[] =>
  axes.filter(({ name }) => !drawnDimensions(geometry).includes(name));

/**
 * An index for each dimension that is not drawn, clipped to its length.
 *
 * @param texts one per dimension of the variable
 */
export function indexesOf(
  axes: readonly Axis[],
  geometry: Geometry,
  texts: readonly string[],
): Indexes {
  const others = otherAxes(axes, geometry);
  const entries = axes
    .map((axis, i) => [axis, texts[i]] as const)
    .filter(([axis]) => others.includes(axis))
    .map(([{ name, length }, text]) => {
      const wanted = text !== undefined && /^-?\d+$/.test(text) ? Number(text) : 0;
      const counted = wanted < 0 ? length + wanted : wanted;
      return [name, Math.min(Math.max(counted, 0), length - 1)] as const;
    });
  return Object.fromEntries(entries);
}

/** The indexes as in the address. */
export const indexText = (axes: readonly Axis[], indexes: Indexes): string =>
  axes.map(({ name }) => indexes[name] ?? ":").join(",");

/** The service's limits: along one dimension, and along each of two. */
const MAX_LINE = 1 << 20;
const MAX_SIDE = 2048;

/** The parameters of a request for a slice: its indexes, and its sizes as far as the service gives them. */
export function sliceQuery({
  axes,
  geometry,
  indexes,
}: {
  readonly axes: readonly Axis[];
  readonly geometry: Geometry;
  readonly indexes: Indexes;
}): Pairs {
  const drawn = drawnDimensions(geometry);
  // In file order, which may differ from the drawn order.
  const lengths = axes.filter(({ name }) => drawn.includes(name)).map(({ length }) => length);
  const [first = 1, last] = lengths;
  const sizes: Pairs =
    last === undefined
      ? [["width", String(Math.min(first, MAX_LINE))]]
      : [
          ["width", String(Math.min(last, MAX_SIDE))],
          ["height", String(Math.min(first, MAX_SIDE))],
        ];
  return [...(axes.length === 0 ? [] : [["index", indexText(axes, indexes)] as const]), ...sizes];
}

/** "" if there is no such attribute, or it is no text. */
export const textOf = ({ attributes }: Variable | Group, name: string): string => {
  const value = attributes.get(name);
  return typeof value === "string" ? value : "";
};

export const longName = (variable: Variable): string =>
  textOf(variable, "long_name") || textOf(variable, "standard_name") || variable.name;

export const unitsOf = (variable: Variable): string => textOf(variable, "units");

/** Global attributes that identify a CMIP dataset. */
const NAMES = ["source_id", "experiment_id", "variant_label", "table_id", "grid_label"];
const MAX_NAME = 160;

/** The dataset's name from its attributes; "" if these do not tell. */
export function datasetName(dataset: Dataset): string {
  const facets = NAMES.flatMap((name) => textOf(dataset, name) || []).join(", ");
  return (facets || textOf(dataset, "title")).slice(0, MAX_NAME);
}
