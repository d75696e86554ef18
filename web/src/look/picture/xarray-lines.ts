/** Python code that makes the same plot with xarray. */
import type { Dataset, Geometry, Indexes, Variable } from "../data/types.js";
import type { Range } from "../draw/colour-scale.js";
import type { Colours } from "../draw/colour-tables.js";
import { allVariables, drawnDimensions, otherAxes, textOf, unitsOf } from "../variables.js";
import { type Slice, sliceTitle } from "./picture.js";
import { conversionLine } from "./units.js";

interface Shown {
  /** Address of the zarr stream. */
  readonly address: string;
  readonly header: Dataset;
  readonly slice: Slice;
  readonly colours: Colours;
  readonly steps?: number | undefined;
  readonly range: Range | undefined;
  /** Address of the zarr stream that is subtracted, if it is another one. */
  readonly other?: string | undefined;
}

/** JSON strings are valid in Python. */
const quoted = (text: string): string => JSON.stringify(text);

const isName = (text: string): boolean => /^[A-Za-z_]\w*$/.test(text);

/** @returns a script that needs a token in TOKEN */
export function xarrayLines(shown: Shown): string {
  const { address, header, slice, colours, steps, range, other } = shown;
  const { variable, axes, geometry, indexes, mean, minus, conversion } = slice;
  const group = variable.path.includes("/") ? variable.path.replace(/\/[^/]*$/, "") : undefined;
  const others = otherAxes(axes, geometry);
  const select = (at: Indexes, over: string | undefined): string => {
    const chosen = others
      .filter(({ name }) => name !== over)
      .map(({ name }) => `${quoted(name)}: ${at[name] ?? 0}`);
    const picked = chosen.length > 0 ? `.isel({${chosen.join(", ")}})` : "";
    return `[${quoted(variable.name)}]${picked}${over === undefined ? "" : `.mean(${quoted(over)})`}`;
  };
  const comment = (text: string): string =>
    text === "" ? "" : `  # ${text.replace(/[\r\n]+/g, " ")}`;
  const open = (name: string, from: string): string[] => [
    `${name} = xr.open_zarr(`,
    `    ${quoted(from)},`,
    ...(group === undefined ? [] : [`    group=${quoted(group)},`]),
    `    storage_options={"headers": headers},`,
    ")",
  ];
  const subtracted =
    minus === undefined
      ? []
      : [
          ...(other === undefined ? [] : open("other", other)),
          `former = ${other === undefined ? "dataset" : "other"}${select(minus.indexes, minus.mean?.name)}${comment(minus.title)}`,
          "field = field - former.transpose(*field.dims).values",
        ];
  const converted = conversion === undefined ? "" : conversionLine(conversion, minus !== undefined);
  const isNumpyUsed = isInRadians(header, geometry, variable) || steps !== undefined;
  const classes = [
    ...(steps === undefined ? [] : ["ListedColormap"]),
    ...(range?.isLog ? ["LogNorm"] : []),
  ];
  return [
    "import os",
    "import matplotlib.pyplot as plt",
    ...(isNumpyUsed ? ["import numpy as np"] : []),
    "import xarray as xr",
    ...(classes.length === 0 ? [] : [`from matplotlib.colors import ${classes.join(", ")}`]),
    "",
    `headers = {"Authorization": "Bearer " + os.environ["TOKEN"]}`,
    ...open("dataset", address),
    `field = dataset${select(indexes, mean?.name)}${comment(sliceTitle(slice))}`,
    ...subtracted,
    ...(converted === "" ? [] : [converted]),
    ...plot(header, slice, colourWords(colours, steps, range)),
    "plt.show()",
    "",
  ].join("\n");
}

function colourWords(
  colours: Colours,
  steps: number | undefined,
  range: Range | undefined,
): string[] {
  const table = quoted(colours);
  const cmap =
    steps === undefined
      ? `cmap=${table}`
      : `cmap=ListedColormap(plt.get_cmap(${table})(np.linspace(0, 1, ${steps})))`;
  if (range === undefined) return [cmap];
  const ends = [`vmin=${range.low}`, `vmax=${range.high}`];
  return [cmap, ...(range.isLog ? [`norm=LogNorm(${ends.join(", ")}, clip=True)`] : ends)];
}

function plot(
  header: Dataset,
  { variable, geometry, conversion }: Slice,
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
      `plt.colorbar(points, label=${quoted(conversion?.units ?? unitsOf(variable))})`,
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
  const names = textOf(variable, "coordinates").split(/\s+/);
  const fitting = allVariables(header).filter(
    ({ dimensions, path }) =>
      path !== variable.path &&
      dimensions.length === wanted.length &&
      wanted.every((one) => dimensions.includes(one)),
  );
  const find = (standard: string, units: RegExp): Variable | undefined => {
    const all = fitting.filter(
      (one) =>
        textOf(one, "standard_name") === standard ||
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
