/** Determines the kind of levels of a variable from its vertical coordinate (CF, 4.3). */
import { elementCount } from "../netcdf/shape.js";
import { type Header, standardName, textOf, type Variable } from "./header.js";

const PRESSURE = /^(?:air_pressure|plev)$/;
const PRESSURE_UNITS = /^(?:pa|hpa|mbar|millibars?|dbar|kpa)$/i;
const HEIGHT = /^(?:height|altitude|height_above_\w+)$/;
/** Names of vertical dimensions without a coordinate variable, as models use them. */
const VERTICAL_NAME = /^(?:lev|level|levels|plev\d*|olevel|depth\w*|height\w*|alt\w*|sigma)$/i;

/** @returns `pl` for pressure levels, `hl` for heights, `ml` for other levels, `2d` for at most one level */
export function levelType(header: Header, variable: Variable): string {
  for (const [i, dimension] of variable.dimensions.entries()) {
    if ((variable.shape[i] ?? 0) <= 1) continue;
    const coordinate = header.variables.find(
      ({ name, shape }) => name === dimension && elementCount(shape) > 1,
    );
    if (coordinate === undefined) {
      if (VERTICAL_NAME.test(dimension)) return "ml";
      continue;
    }
    const standard = standardName(coordinate);
    const isPressure =
      PRESSURE.test(standard) ||
      (standard === "" && PRESSURE_UNITS.test(textOf(coordinate, "units")));
    if (isPressure) return "pl";
    if (HEIGHT.test(standard)) return "hl";
    if (isMarkedVertical(coordinate)) return "ml";
  }
  return "2d";
}

const isMarkedVertical = (coordinate: Variable): boolean =>
  textOf(coordinate, "axis").toUpperCase() === "Z" ||
  /^(?:up|down)$/i.test(textOf(coordinate, "positive")) ||
  VERTICAL_NAME.test(coordinate.name);

export function isVertical(coordinate: Variable): boolean {
  const standard = standardName(coordinate);
  if (PRESSURE.test(standard) || HEIGHT.test(standard)) return true;
  return (
    isMarkedVertical(coordinate) ||
    (standard === "" && PRESSURE_UNITS.test(textOf(coordinate, "units")))
  );
}
