/** Python code that makes the same plot with xarray. */
import type { Dataset, Geometry, Variable } from "../data/types.js";
import type { Range } from "../draw/colour-scale.js";
import type { Colours } from "../draw/colour-tables.js";
import { allVariables, drawnDimensions, otherAxes, unitsOf } from "../variables.js";
import { axisLabel, type Slice } from "./picture.js";

interface Shown {
  /** Address of the zarr stream. */
  readonly address: string;
  readonly header: Dataset;
  readonly slice: Slice;
  readonly colours: Colours;
  readonly range: Range | undefined;
}

/** JSON strings are valid in Python. */
const quoted = (text: string): string => JSON.stringify(text);

const isName = (text: string): boolean => /^[A-Za-z_]\w*$/.test(text);

/** @returns a script that needs a token in TOKEN */
export function xarrayLines({ address, header, slice, colours, range }: Shown): string {
  const { variable, axes, geometry, indexes } = slice;
  const group = variable.path.includes("/") ? variable.path.replace(/\/[^/]*$/, "") : undefined;
  const others = otherAxes(axes, geometry);
  const dated = others.map((axis) => axisLabel(axis, indexes[axis.name] ?? 0)).join(", ");
  const chosen = others.map(({ name }) => `${quoted(name)}: ${indexes[name] ?? 0}`);
  const selected = chosen.length > 0 ? `.isel({${chosen.join(", ")}})` : "";
  return [
    "import os",
    "import matplotlib.pyplot as plt",
    ...(isInRadians(header, geometry, variable) ? ["import numpy as np"] : []),
    "import xarray as xr",
    "",
    `headers = {"Authorization": "Bearer " + os.environ["TOKEN"]}`,
    "dataset = xr.open_zarr(",
    `    ${quoted(address)},`,
    ...(group === undefined ? [] : [`    group=${quoted(group)},`]),
    `    storage_options={"headers": headers},`,
    ")",
    `field = dataset[${quoted(variable.name)}]${selected}${dated === "" ? "" : `  # ${dated.replace(/[\r\n]+/g, " ")}`}`,
    ...plot(header, slice, colourWords(colours, range)),
    "plt.show()",
    "",
  ].join("\n");
}

const colourWords = (colours: Colours, range: Range | undefined): string[] => [
  `cmap=${quoted(colours)}`,
  ...(range === undefined ? [] : [`vmin=${range.low}`, `vmax=${range.high}`]),
];

function plot(
  header: Dataset,
  { variable, geometry }: Slice,
  colours: readonly string[],
): string[] {
  const places = coordinatesOf(header, geometry, variable);
  if (geometry.kind === "points") {
    const [x, y] = places ?? [];
    if (x === undefined || y === undefined) return [`field.plot()`];
    const degrees = (one: Variable): string =>
      isRadian(one) ? `np.degrees(dataset[${quoted(one.name)}])` : `dataset[${quoted(one.name)}]`;
    const words = [degrees(x), degrees(y), "c=field", "s=2", ...colours];
    return [
      `points = plt.scatter(${words.join(", ")})`,
      `plt.colorbar(points, label=${quoted(unitsOf(variable))})`,
    ];
  }
  const dimensions = drawnDimensions(geometry);
  if (dimensions.length < 2) return ["field.plot()"];
  const [y, x] =
    geometry.kind === "curvilinear" && places !== undefined
      ? [places[1].name, places[0].name]
      : dimensions;
  const words = [`x=${quoted(x ?? "")}`, `y=${quoted(y ?? "")}`, ...colours];
  return [`field.plot.pcolormesh(${words.join(", ")})`];
}

/** The variables that hold the longitudes and latitudes of cells in any layout. */
function coordinatesOf(
  header: Dataset,
  geometry: Geometry,
  variable: Variable,
): readonly [Variable, Variable] | undefined {
  if (geometry.kind === "none" || geometry.kind === "regular") return undefined;
  const wanted = drawnDimensions(geometry);
  const named = variable.attributes.get("coordinates");
  const names = typeof named === "string" ? named.split(/\s+/) : [];
  const fitting = allVariables(header).filter(
    ({ dimensions, path }) =>
      path !== variable.path &&
      dimensions.length === wanted.length &&
      wanted.every((one) => dimensions.includes(one)),
  );
  const find = (standard: string, units: RegExp): Variable | undefined => {
    const all = fitting.filter(
      (one) =>
        one.attributes.get("standard_name") === standard ||
        units.test(unitsOf(one)) ||
        (isRadian(one) && new RegExp(standard.slice(0, 3), "i").test(one.name)),
    );
    return all.find(({ name }) => names.includes(name)) ?? all[0];
  };
  const x = find("longitude", /^degrees?_?e(ast)?$/i);
  const y = find("latitude", /^degrees?_?n(orth)?$/i);
  return x && y && isName(x.name) && isName(y.name) ? [x, y] : undefined;
}

const isRadian = (variable: Variable): boolean => /^rad/i.test(unitsOf(variable));

const isInRadians = (header: Dataset, geometry: Geometry, variable: Variable): boolean =>
  geometry.kind === "points" &&
  (coordinatesOf(header, geometry, variable)?.some(isRadian) ?? false);
