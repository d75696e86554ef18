/** Determines which variables of a file are data, bounds and coordinates. */
import {
  type Header,
  isCoordinateVariable,
  isNumeric,
  namesIn,
  standardName,
  textOf,
  type Variable,
} from "./header.js";
import { isTimeUnits } from "./time-units.js";

/** Attributes that name helper variables: CF, appendix A; UGRID 1.0, topologies. */
const HELPERS = [
  "bounds",
  "climatology",
  "grid_mapping",
  "mesh",
  "geometry",
  "quantization",
  "node_coordinates",
  "node_count",
  "part_node_count",
  "interior_ring",
  "sample_dimension",
  "instance_dimension",
];
const UGRID = /_(?:connectivity|coordinates)$/;
const COORDINATES = "coordinates";
/** Attributes that name variables which may be data as well: a cell's area, a surface pressure. */
const COMPANIONS = ["cell_measures", "ancillary_variables", "formula_terms"];

/** Names of bounds that no attribute refers to. */
const BOUNDS_NAME = /_(?:bnds|bounds|vertices|vrtx|vertex)$/i;

/** The names in all attributes, of the file and of its variables, that match. */
function namesInAttributes(header: Header, matches: (attribute: string) => boolean): Set<string> {
  const names = new Set<string>();
  for (const owner of [header, ...header.variables]) {
    for (const attribute of owner.attributes.keys()) {
      if (matches(attribute)) for (const name of namesIn(owner, attribute)) names.add(name);
    }
  }
  return names;
}

export interface Roles {
  readonly data: readonly Variable[];
  /** Names of variables that are bounds of others. */
  readonly bounds: ReadonlySet<string>;
  /** Time coordinates of the data. */
  readonly times: readonly Variable[];
  /** True latitudes and longitudes of the data; both or neither. */
  readonly latitudes: readonly Variable[];
  readonly longitudes: readonly Variable[];
}

export function rolesOf(header: Header): Roles {
  const bounds = boundsNames(header);
  const data = dataVariables(header, bounds);
  const own = coordinateNames(header, data);
  const others = header.variables.filter(({ name }) => !bounds.has(name));
  const times = timeCoordinates(others, data, own);
  return { data, bounds, times, ...horizontalCoordinates(others, own) };
}

/** Names of variables that are bounds of others (CF, 7.1 and 7.4). */
function boundsNames(header: Header): Set<string> {
  const names = namesInAttributes(header, (name) => ["bounds", "climatology"].includes(name));
  for (const { name } of header.variables) if (BOUNDS_NAME.test(name)) names.add(name);
  return names;
}

/**
 * The data variables: the one that `variable_id` names in a CMIP file, or all that do not describe others.
 *
 * Cell measures, ancillary variables, terms of formulas, and variables that nothing marks as data (no units, no standard name,
 * at most one dimension: weights, counters) are data only if there is nothing else.
 */
function dataVariables(header: Header, bounds: ReadonlySet<string>): Variable[] {
  const wanted = textOf(header, "variable_id");
  const single = header.variables.filter(({ name }) => name === wanted);
  if (single.length > 0) return single.slice(0, 1);
  const helpers = namesInAttributes(
    header,
    (name) => HELPERS.includes(name) || name === COORDINATES || UGRID.test(name),
  );
  const companions = namesInAttributes(header, (name) => COMPANIONS.includes(name));
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

const LATITUDE_UNITS = /^degrees?_?n(orth)?$/i;
const LONGITUDE_UNITS = /^degrees?_?e(ast)?$/i;
/** Used if units do not identify the axis. Names of rotated grids must not match. */
const LATITUDE_NAME = /^(?:nav_?|[cev]|x|geo)?lat(?:itude)?s?(?:_[a-z])?$/i;
const LONGITUDE_NAME = /^(?:nav_?|[cev]|x|geo)?lon(?:g|gitude)?s?(?:_[a-z])?$/i;
/** Also matches missing units, which are common in hand-made files. */
const ANGLE = /^(?:degrees?|deg|radians?|rad)?$/i;

/** Whether a variable is a true latitude (CF, 4.1). Those of rotated grids have another standard name. */
export function isLatitude(variable: Variable): boolean {
  return isHorizontal(variable, "latitude", LATITUDE_UNITS, LATITUDE_NAME);
}

/** Whether a variable is a true longitude (CF, 4.2). */
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

/** Names of the coordinates of some variables, by dimension or by attribute. */
function coordinateNames(header: Header, variables: readonly Variable[]): Set<string> {
  const names = new Set(variables.flatMap(({ dimensions }) => dimensions));
  for (const variable of [header, ...variables]) {
    for (const name of namesIn(variable, COORDINATES)) names.add(name);
  }
  const meshes = new Set(
    variables.flatMap((variable) => ["mesh", "geometry"].flatMap((a) => namesIn(variable, a))),
  );
  for (const mesh of header.variables.filter(({ name }) => meshes.has(name))) {
    for (const attribute of mesh.attributes.keys()) {
      if (attribute.endsWith(COORDINATES))
        for (const name of namesIn(mesh, attribute)) names.add(name);
    }
  }
  return names;
}

/** The horizontal coordinates with the given names, or else any. */
function horizontalCoordinates(
  all: readonly Variable[],
  names: ReadonlySet<string>,
): Pick<Roles, "latitudes" | "longitudes"> {
  const own = all.filter(({ name }) => names.has(name));
  const choices = [own, all].map((list) => ({
    latitudes: list.filter(isLatitude),
    longitudes: list.filter(isLongitude),
  }));
  const isWhole = (choice: (typeof choices)[number]): boolean =>
    choice.latitudes.length > 0 && choice.longitudes.length > 0;
  return choices.find(isWhole) ?? { latitudes: [], longitudes: [] };
}

export const isTimeName = (name: string): boolean => /^(?:x?times?|valid_time)$/i.test(name);

/**
 * CF, 4.4: units identify a time coordinate, but other durations since a date have another standard name.
 *
 * @param listed names that other variables give as their coordinates
 */
export function isTime(variable: Variable, listed?: ReadonlySet<string>): boolean {
  if (!isNumeric(variable) || !isTimeUnits(textOf(variable, "units"))) return false;
  const standard = standardName(variable);
  if (standard !== "") return standard === "time";
  const { name } = variable;
  if (textOf(variable, "axis") === "T" || isCoordinateVariable(variable)) return true;
  return listed?.has(name) === true || isTimeName(name);
}

/** The time coordinates of the data's dimensions; otherwise those that the data name. */
function timeCoordinates(
  others: readonly Variable[],
  data: readonly Variable[],
  listed: ReadonlySet<string>,
): readonly Variable[] {
  const all = others.filter((variable) => isTime(variable, listed));
  const dimensions = new Set(data.flatMap((variable) => variable.dimensions));
  const choices = [
    all.filter((variable) => isCoordinateVariable(variable) && dimensions.has(variable.name)),
    all.filter(({ name }) => listed.has(name)),
    all.filter(({ shape }) => shape.length === 0),
    all,
  ];
  return choices.find((choice) => choice.length > 0) ?? [];
}
