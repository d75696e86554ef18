/** Merges the facts from a file's path, its header and the command line. */

import { CONSTANT } from "../../../domain/extent/period.js";
import { type Description, describe } from "../../../files/cf/describe.js";
import type { Finding, Header, Variable } from "../../../files/cf/header.js";
import { levelType } from "../../../files/cf/level-type.js";
import { rolesOf } from "../../../files/cf/roles.js";
import { timeAggregation } from "../../../files/cf/time-aggregation.js";
import { coordinateValues } from "../../../files/zarr/coordinate-values.js";
import type { Datasets } from "../../../files/zarr/dataset/datasets.js";
import { brokenParts } from "../../../files/zarr/metadata/header.js";
import { attributesOf, type HeaderFacts, values } from "../../drs/attributes.js";
import { isValue } from "../../drs/header-text.js";
import { allAttributeNames, recognisedStandard } from "../../drs/index.js";
import type { PathFacts, Standard } from "../../drs/standard.js";
import { contradictions, sameValue } from "./contradictions.js";
import { frequencyNote, periodNote } from "./time-notes.js";

/** Facets and details by native name. */
export type Fields = Readonly<Record<string, string | readonly string[]>>;
type MutableFields = Record<string, string | readonly string[]>;

export interface OpenedHeader {
  readonly header: Header;
  readonly description: Description;
  /** As the reader names it, such as `netcdf4` or `zarr v2`. */
  readonly format: string;
  /** Parts of the file that cannot be read, as sentences. */
  readonly broken: readonly string[];
}

interface FileFacts {
  /** Facets, details, version and time; `bbox` as `west,east,south,north`. */
  readonly fields: Fields;
  /** Contradictions, and facts that could not be found, one line each. */
  readonly notes: readonly string[];
}

/** Reads header and coordinates, never the data. */
export async function openHeader(datasets: Datasets, path: string): Promise<OpenedHeader> {
  const dataset = await datasets.open(path);
  const header = await dataset.header();
  const description = await describe(header, coordinateValues(datasets, dataset));
  const broken = brokenParts(header);
  return { header, description, format: dataset.format, broken };
}

/**
 * The facts of one file. The header overrides the path; if both mean the same value, the path's spelling is used.
 * Facets from the command line override both. Every contradiction is noted.
 *
 * @param standard of the path; if undefined, the one that the header names, if the path fits it
 * @param opened undefined for a file that may not be opened
 */
export function fileFacts(
  path: string,
  standard: Standard | undefined,
  opened: OpenedHeader | undefined,
  given: Readonly<Record<string, string>> = {},
): FileFacts {
  const notes = (opened?.broken ?? []).map((sentence) => `left out: ${sentence}`);
  const known = standard ?? (opened && recognisedStandard(opened.header));
  const filed = known && readPath(known, path);
  const facts = opened && attributesOf(opened.header, known?.definition ?? allAttributeNames());
  notes.push(...(filed?.notes ?? []), ...(facts?.notes ?? []));
  const constants = known === undefined ? {} : Object.fromEntries(known.definition.facets);
  const pathFacts: MutableFields = { ...constants, ...filed?.facets };
  const headerFacts: MutableFields = {
    ...(opened && variableFacts(opened, notes)),
    ...facts?.facets,
  };
  notes.push(...contradictions("the path", pathFacts, "the header", headerFacts));
  const fields: MutableFields = {
    ...facts?.hints,
    ...pathFacts,
    ...overriding(headerFacts, pathFacts),
  };
  if (opened !== undefined) {
    const { time_frequency: frequency, bbox } = opened.description;
    // Attributes and paths are more precise than the distance between times.
    if ("value" in frequency) {
      const note = frequencyNote(fields.time_frequency, frequency.value);
      if (note !== undefined) notes.push(note);
      fields.time_frequency ??= frequency.value;
    }
    if (bbox !== undefined) fields.bbox = bbox;
    // A level type in the path is more precise than names and units.
    const { header } = opened;
    const level = commonValue(rolesOf(header).data, (variable) => levelType(header, variable));
    if (level !== undefined) fields.level_type ??= level;
  }
  if (known !== undefined) addDefaults(fields, known);
  const time = timeOf(opened, filed, fields, notes);
  if (time !== undefined) fields.time = time;
  notes.push(...contradictions("--facet", given, "the file", fields, "--facet"));
  const version = versionOf(filed, facts, notes);
  return {
    fields: { ...facts?.details, ...(version !== undefined && { version }), ...fields, ...given },
    notes,
  };
}

/** The facets on which a file's path and its header differ, one line each. The header names the standard of the path. */
export function pathContradictions(path: string, header: Header): string[] {
  const known = recognisedStandard(header);
  const filed = known && readPath(known, path);
  if (known === undefined || filed === undefined) return [];
  const names = new Set(rolesOf(header).data.map(({ name }) => name));
  const variable = variablesOf([...names], []);
  const { facets } = attributesOf(header, known.definition);
  const stated = { ...(variable.length > 0 && { variable }), ...facets };
  return contradictions("the path", filed.facets as Fields, "the header", stated as Fields);
}

function readPath(standard: Standard, path: string): PathFacts | undefined {
  const read = standard.read(path);
  return "reason" in read ? undefined : read;
}

/** Values that override the path's. Values of the same meaning keep the path's spelling. */
function overriding(said: Fields, filed: Fields): Fields {
  return Object.fromEntries(
    Object.entries(said).filter(([facet, value]) => {
      const before = filed[facet];
      return before === undefined || !sameValue(before, value);
    }),
  );
}

/** Facets from the variables; none if the file mixes aggregations. */
function variableFacts({ header, description }: OpenedHeader, notes: string[]): Fields {
  const { data } = rolesOf(header);
  const aggregation = commonValue(data, (variable) => timeAggregation(variable));
  return {
    ...("value" in description.variable && {
      variable: variablesOf([description.variable.value].flat(), notes),
    }),
    ...(aggregation !== undefined && { time_aggregation: aggregation }),
  };
}

/** Variables that are compared, and names that are stored. */
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

/** The value that all variables with a value share. */
function commonValue(
  data: readonly Variable[],
  of: (variable: Variable) => string | undefined,
): string | undefined {
  const [first, ...others] = new Set(
    data.slice(0, MAX_VARIABLES).flatMap((variable) => of(variable) ?? []),
  );
  return others.length === 0 ? first : undefined;
}

function addDefaults(fields: MutableFields, { definition }: Standard): void {
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
  opened: OpenedHeader | undefined,
  filed: PathFacts | undefined,
  fields: Fields,
  notes: string[],
): string | undefined {
  const frequency = [fields.time_frequency ?? []].flat()[0] ?? "";
  const named = filed?.time ?? (frequency.startsWith(CONSTANT) ? CONSTANT : undefined);
  if (opened === undefined) return named;
  const time: Finding<string> = opened.description.time;
  if ("reason" in time) {
    const instead = named === undefined ? "" : "; the path gives the period";
    notes.push(`time: the file ${time.reason}${instead}`);
    return named;
  }
  // The times of a climatology cover one year; its name has the whole range of years.
  if (filed?.time !== undefined && !filed.isClimatology) {
    const note = periodNote(filed.time, time.value, frequency);
    if (note !== undefined) notes.push(note);
  }
  return time.value;
}

/** The path's version overrides the header's. */
function versionOf(
  filed: PathFacts | undefined,
  facts: HeaderFacts | undefined,
  notes: string[],
): string | undefined {
  const named = filed?.version;
  const stated = facts?.version;
  if (named !== undefined && stated !== undefined && named !== stated) {
    notes.push(`version: the path says ${named}, the header ${stated}; stored is ${named}`);
  }
  return named ?? stated;
}
