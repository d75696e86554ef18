/** The facts that a file's header tells, for the form that registers it. */

import { FACET_NAMES, FACETS, type Facet } from "../../../../src/domain/vocabulary/facets.js";
import {
  FLAVOUR_NAMES,
  FLAVOURS,
  translation,
} from "../../../../src/domain/vocabulary/flavours.js";
import { describe } from "../../../../src/files/cf/describe.js";
import { type Finding, type Header, textOf } from "../../../../src/files/cf/header.js";
import type { FileBytes } from "../../../../src/files/netcdf/file-reader.js";
import { ByteSource } from "../../../../src/files/netcdf/source/byte-source.js";
import { makeDocuments } from "../../../../src/files/zarr/metadata/documents.js";
import { readHeader } from "../../../../src/files/zarr/metadata/header.js";
import { fileValues } from "./file-values.js";

export interface FileFacts {
  readonly variable: readonly string[];
  /** `A to B` or `fx`. */
  readonly time: string | undefined;
  readonly time_frequency: string | undefined;
  /** `west,east,south,north`. */
  readonly bbox: string | undefined;
  /** By native names. */
  readonly facets: Readonly<Record<string, string>>;
  /** Facts that the header lacks, as sentences without a subject. */
  readonly unclear: readonly string[];
}

/** Milliseconds and bytes that reading a header may take. */
const LIMITS = { time: 20_000, bytes: 256 << 20 };

/** Reads header and coordinates, never the data: some hundred kilobytes of a large file. @throws ReadingError */
export async function fileFacts(bytes: FileBytes): Promise<FileFacts> {
  const source = ByteSource.over(bytes, LIMITS);
  try {
    const { texts, arrays } = makeDocuments(source.readModel());
    const header = readHeader(texts);
    const variables = new Map([...arrays].map(([path, { variable }]) => [path, variable]));
    const description = await describe(header, fileValues(source, variables));
    const { bbox } = description;
    const all = [description.variable, description.time, description.time_frequency] as const;
    const facets = facetsOf(header);
    return {
      variable: [foundValue(description.variable) ?? []].flat(),
      time: foundValue(description.time)?.replace(/^\[(\S+) TO (\S+)\]$/, "$1 to $2"),
      // The header takes precedence over the spacing of its times.
      time_frequency: facets.time_frequency ?? foundValue(description.time_frequency),
      bbox,
      facets,
      unclear: [...new Set(all.flatMap((one) => ("reason" in one ? [one.reason] : [])))],
    };
  } finally {
    source.close();
  }
}

const foundValue = <T>(finding: Finding<T>): T | undefined =>
  "value" in finding ? finding.value : undefined;

/** Facets found in other ways, or set by the service. */
const NOT_FROM_ATTRIBUTES: ReadonlySet<Facet> = new Set<Facet>([
  "variable",
  "time",
  "bbox",
  "user",
  "dataset",
  "fs_type",
  "format",
]);

/**
 * Facets in the global attributes, by their names in any standard. Specific names come first: `experiment_id` is the
 * experiment, `experiment` a sentence about it.
 */
function facetsOf(header: Header): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const facet of FACET_NAMES) {
    if (NOT_FROM_ATTRIBUTES.has(facet) || FACETS[facet].special) continue;
    const names = FLAVOUR_NAMES.map((flavour) => translation(FLAVOURS[flavour], true).name(facet));
    const texts = [...names.filter((name) => name !== facet), facet].map((name) =>
      textOf(header, name),
    );
    const value = texts.find((text) => /^\S{1,100}$/.test(text));
    if (value !== undefined) found[facet] = value;
  }
  return found;
}
