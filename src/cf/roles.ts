/** What the variables of a file are there for. */
import {
  type Header,
  isCoordinateVariable,
  isNumeric,
  namesIn,
  textOf,
  type Variable,
} from "./header.js";
import { isTimeUnits } from "./time-units.js";

/** Attributes that name variables which describe others: CF, appendix A; UGRID 1.0, topologies. */
const HELPERS = [
  ...["bounds", "climatology", "grid_mapping", "mesh", "geometry", "quantization"],
  ...["node_coordinates", "node_count", "part_node_count", "interior_ring"],
  ...["sample_dimension", "instance_dimension"],
];
const UGRID = /_(?:connectivity|coordinates)$/;
const COORDINATES = "coordinates";
/** Those name variables that are data as well: a cell's area, a surface pressure. */
const COMPANIONS = ["cell_measures", "ancillary_variables", "formula_terms"];

/** Bounds to which no attribute leads, by the names that everybody gives them. */
const BOUNDS_NAME = /_(?:bnds|bounds|vertices|vrtx|vertex)$/i;

const named = (header: Header, attributes: (name: string) => boolean): Set<string> => {
  const names = new Set<string>();
  for (const of of [header, ...header.variables]) {
    for (const attribute of of.attributes.keys()) {
      if (attributes(attribute)) for (const name of namesIn(of, attribute)) names.add(name);
    }
  }
  return names;
};

/** Names of the variables that are the bounds of others (CF, 7.1 and 7.4). */
export function boundsNames(header: Header): Set<string> {
  const names = named(header, (attribute) => ["bounds", "climatology"].includes(attribute));
  for (const { name } of header.variables) if (BOUNDS_NAME.test(name)) names.add(name);
  return names;
}

/**
 * The data variables: a CMIP file's one (`variable_id`), or all that describe no other ones.
 *
 * What nothing marks as data and nothing as a helper (no units, no standard name, at most one
 * dimension: weights, counters) is data only where there is nothing else; so are cell measures,
 * ancillary variables and terms of formulas.
 */
export function dataVariables(header: Header): Variable[] {
  const wanted = textOf(header, "variable_id");
  const single = header.variables.filter(({ name }) => name === wanted);
  if (single.length > 0) return single.slice(0, 1);
  const bounds = boundsNames(header);
  const helpers = named(
    header,
    (name) => HELPERS.includes(name) || name === COORDINATES || UGRID.test(name),
  );
  const companions = named(header, (name) => COMPANIONS.includes(name));
  const candidates = header.variables.filter(
    (variable) =>
      isNumeric(variable) &&
      !isCoordinate(variable) &&
      !helpers.has(variable.name) &&
      !bounds.has(variable.name) &&
      !variable.attributes.has("grid_mapping_name") &&
      !variable.attributes.has("cf_role"),
  );
  const own = candidates.filter(({ name }) => !companions.has(name));
  for (const choice of [own.filter(isDescribed), own, candidates]) {
    if (choice.length > 0) return choice;
  }
  return [];
}

const isCoordinate = (variable: Variable): boolean =>
  isCoordinateVariable(variable) ||
  variable.attributes.has("axis") ||
  isLatitude(variable) ||
  isLongitude(variable) ||
  (variable.shape.length <= 1 && isTimeUnits(textOf(variable, "units")));

const isDescribed = (variable: Variable): boolean =>
  variable.shape.length > 1 ||
  (variable.shape.length === 1 &&
    (textOf(variable, "units") !== "" || textOf(variable, "standard_name") !== ""));

const standardName = (variable: Variable): string =>
  textOf(variable, "standard_name").toLowerCase();

const LATITUDE_UNITS = /^degrees?_?n(orth)?$/i;
const LONGITUDE_UNITS = /^degrees?_?e(ast)?$/i;
/** Where units do not tell an axis: names that models give. Those of rotated grids are not among them. */
const LATITUDE_NAME = /^(?:nav_?|[cev]|x|geo)?lat(?:itude)?s?(?:_[a-z])?$/i;
const LONGITUDE_NAME = /^(?:nav_?|[cev]|x|geo)?lon(?:g|gitude)?s?(?:_[a-z])?$/i;
/** Files made by hand often leave the units out. */
const ANGLE = /^(?:degrees?|deg|radians?|rad)?$/i;

/** A true latitude (CF, 4.1): never that of a rotated grid, which has a standard name of its own. */
export function isLatitude(variable: Variable): boolean {
  return isHorizontal(variable, "latitude", LATITUDE_UNITS, LATITUDE_NAME);
}

/** A true longitude (CF, 4.2). */
export function isLongitude(variable: Variable): boolean {
  return isHorizontal(variable, "longitude", LONGITUDE_UNITS, LONGITUDE_NAME);
}

function isHorizontal(variable: Variable, standard: string, units: RegExp, name: RegExp): boolean {
  if (!isNumeric(variable)) return false;
  const given = standardName(variable);
  if (given !== "") return given === standard;
  const unit = textOf(variable, "units");
  return units.test(unit) || (ANGLE.test(unit) && name.test(variable.name));
}

/** Names of the coordinates that belong to variables, by dimension or by attribute. */
export function coordinateNames(header: Header, of: readonly Variable[]): Set<string> {
  const names = new Set(of.flatMap(({ dimensions }) => dimensions));
  for (const variable of [header, ...of]) {
    for (const name of namesIn(variable, COORDINATES)) names.add(name);
  }
  const meshes = new Set(
    of.flatMap((variable) => ["mesh", "geometry"].flatMap((a) => namesIn(variable, a))),
  );
  for (const mesh of header.variables.filter(({ name }) => meshes.has(name))) {
    for (const attribute of mesh.attributes.keys()) {
      if (attribute.endsWith(COORDINATES))
        for (const name of namesIn(mesh, attribute)) names.add(name);
    }
  }
  return names;
}
