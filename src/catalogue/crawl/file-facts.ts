/** What path, header and hand say of a file, put together. */

import { CONSTANT } from "../../domain/extent/period.js";
import { type Description, describe } from "../../files/cf/describe.js";
import type { Header, Told, Variable } from "../../files/cf/header.js";
import { levelType } from "../../files/cf/level-type.js";
import { rolesOf } from "../../files/cf/roles.js";
import { timeAggregation } from "../../files/cf/time-aggregation.js";
import { coordinateValues } from "../../files/zarr/coordinate-values.js";
import type { Datasets } from "../../files/zarr/datasets.js";
import { attributesOf, type HeaderFacts, values } from "../drs/attributes.js";
import { isValue } from "../drs/header-text.js";
import { allStandards, recognisedStandard } from "../drs/index.js";
import type { PathFacts, Standard } from "../drs/standard.js";
import { contradictions, sameValue } from "./contradictions.js";
import { frequencyNote, periodNote } from "./time-notes.js";

/** Facets and details by native name. */
export type Fields = Readonly<Record<string, string | readonly string[]>>;
type Building = Record<string, string | readonly string[]>;

/** A header, and what its coordinates tell. */
export interface Opened {
  readonly header: Header;
  readonly told: Description;
  /** As the reader names it, such as `netcdf4` or `zarr v2`. */
  readonly format: string;
}

export interface FileFacts {
  /** Facets, details, version and time; `bbox` as `west,east,south,north`. */
  readonly fields: Fields;
  /** What contradicts, and what could not be told, one line each. */
  readonly notes: readonly string[];
}

/** Reads header and coordinates, never the data. @throws ReadingError */
export async function openHeader(datasets: Datasets, path: string): Promise<Opened> {
  const dataset = await datasets.open(path);
  const header = await dataset.header();
  const told = await describe(header, coordinateValues(datasets, dataset));
  return { header, told, format: dataset.format };
}

/**
 * The path tells where a file is filed, its header what it is. Where both tell the same facet the header holds, spelled
 * as the path has it; what is given by hand holds before both. Whatever contradicts is noted.
 *
 * @param standard whose path it is; where left out, that which the header names, if the path is one of it
 * @param opened undefined of a file that may not be opened
 * @param given facets by native name
 */
export function fileFacts(
  path: string,
  standard: Standard | undefined,
  opened: Opened | undefined,
  given: Readonly<Record<string, string>> = {},
): FileFacts {
  const notes: string[] = [];
  const known = standard ?? (opened && recognisedStandard(opened.header));
  const filed = known && readPath(known, path);
  const facts = opened && attributesOf(opened.header, known?.itself ?? allStandards());
  notes.push(...(filed?.notes ?? []), ...(facts?.notes ?? []));
  const constants = known === undefined ? {} : Object.fromEntries(known.definition.facets);
  const ofPath: Building = { ...constants, ...filed?.facets };
  const ofHeader: Building = { ...(opened && saidOfVariables(opened, notes)), ...facts?.facets };
  notes.push(...contradictions("the path", ofPath, "the header", ofHeader));
  const fields: Building = { ...facts?.hints, ...ofPath, ...stronger(ofHeader, ofPath) };
  if (opened !== undefined) {
    const { time_frequency: frequency, bbox } = opened.told;
    // How far apart the times are tells less than what attribute or path say.
    if ("value" in frequency) {
      const note = frequencyNote(fields.time_frequency, frequency.value);
      if (note !== undefined) notes.push(note);
      fields.time_frequency ??= frequency.value;
    }
    if (bbox !== undefined) fields.bbox = bbox;
    // Levels are told by names and units, which tell less than a path that names them.
    const { header } = opened;
    const level = only(rolesOf(header).data, (variable) => levelType(header, variable));
    if (level !== undefined) fields.level_type ??= level;
  }
  if (known !== undefined) standIn(fields, known);
  const time = timeOf(opened, filed, fields, notes);
  if (time !== undefined) fields.time = time;
  notes.push(...contradictions("--facet", given, "the file", fields));
  const version = versionOf(filed, facts, notes);
  return {
    fields: { ...facts?.details, ...(version !== undefined && { version }), ...fields, ...given },
    notes,
  };
}

function readPath(standard: Standard, path: string): PathFacts | undefined {
  const read = standard.read(path);
  return "reason" in read ? undefined : read;
}

/** What holds though the path says something else: names that mean the same stay as the path spells them. */
function stronger(said: Fields, filed: Fields): Fields {
  return Object.fromEntries(
    Object.entries(said).filter(([facet, value]) => {
      const before = filed[facet];
      return before === undefined || !sameValue(before, value);
    }),
  );
}

/** What the variables say; of a file that mixes aggregations nothing is said of them. */
function saidOfVariables({ header, told }: Opened, notes: string[]): Fields {
  const { data } = rolesOf(header);
  const aggregation = only(data, (variable) => timeAggregation(variable));
  return {
    ...("value" in told.variable && { variable: variablesOf([told.variable.value].flat(), notes) }),
    ...(aggregation !== undefined && { time_aggregation: aggregation }),
  };
}

/** Variables of one file that are looked at for what they have in common, and names that are kept. */
const MAX_VARIABLES = 200;
const MAX_VARIABLE_NAMES = 1000;

function variablesOf(names: readonly string[], notes: string[]): string | readonly string[] {
  const kept = names.filter(isValue).slice(0, MAX_VARIABLE_NAMES);
  if (kept.length < names.length) {
    notes.push(`variable: of ${names.length} names ${kept.length} are kept`);
  }
  const [first, ...others] = kept;
  return first === undefined || others.length > 0 ? kept : first;
}

/** What is the same of all variables that have it. */
function only(
  data: readonly Variable[],
  of: (variable: Variable) => string | undefined,
): string | undefined {
  const [first, ...others] = new Set(
    data.slice(0, MAX_VARIABLES).flatMap((variable) => of(variable) ?? []),
  );
  return others.length === 0 ? first : undefined;
}

/** What follows from other facets, and what holds where nothing is said. */
function standIn(fields: Building, { definition }: Standard): void {
  for (const [facet, { from, values: table }] of definition.derived) {
    const of = fields[from];
    const value = typeof of === "string" ? table.get(of) : undefined;
    if (value !== undefined) fields[facet] ??= value;
  }
  const lookup = (name: string): string | undefined => [fields[name] ?? []].flat()[0];
  for (const [facet, value] of Object.entries(values(definition.defaults, lookup))) {
    fields[facet] ??= value;
  }
}

function timeOf(
  opened: Opened | undefined,
  filed: PathFacts | undefined,
  fields: Fields,
  notes: string[],
): string | undefined {
  const frequency = [fields.time_frequency ?? []].flat()[0] ?? "";
  const named = filed?.time ?? (frequency.startsWith(CONSTANT) ? CONSTANT : undefined);
  if (opened === undefined) return named;
  const time: Told<string> = opened.told.time;
  if ("reason" in time) {
    const instead = named === undefined ? "" : "; the path tells it instead";
    notes.push(`time: the file ${time.reason}${instead}`);
    return named;
  }
  // Of a climatology the times are those of one year, and the name tells all its years.
  if (filed?.time !== undefined && !filed.isClimatology) {
    const note = periodNote(filed.time, time.value, frequency);
    if (note !== undefined) notes.push(note);
  }
  return time.value;
}

/** The path says under which version a file is filed. */
function versionOf(
  filed: PathFacts | undefined,
  facts: HeaderFacts | undefined,
  notes: string[],
): string | undefined {
  const named = filed?.version;
  const stated = facts?.version;
  if (named !== undefined && stated !== undefined && named !== stated) {
    notes.push(`version: the path says ${named}, the header ${stated}`);
  }
  return named ?? stated;
}
