/** The document fields that a response contains. */
import { InvalidParameters } from "../errors.js";
import { DETAIL_NAMES, DETAILS } from "../vocabulary/details.js";
import { type CountedField, isSingle, storedField } from "../vocabulary/facets.js";
import { translation } from "../vocabulary/flavours.js";
import { unknownName } from "../vocabulary/unknown-name.js";
import {
  ALL,
  facetsByName,
  listedNames,
  type NamesInput,
  namingOf,
  standardFacets,
} from "./named-facets.js";
import type { UniqKey } from "./search.js";

export interface ChosenField {
  /** As the flavour names it. */
  readonly name: string;
  /** Schema field with docValues. */
  readonly field: string;
  /** `bytes`: whole numbers; `timestamp`: a point in time; `flag`: true or false; `period`: a range; `box`: a text in degrees. */
  readonly kind: "text" | "bytes" | "timestamp" | "flag" | "period" | "box";
  /** Whether a document may have several values. */
  readonly several: boolean;
}

interface ChosenFieldsInput {
  readonly path: NamesInput["path"] & { readonly uniq_key: UniqKey };
  readonly query: NamesInput["query"] & { readonly fields?: readonly string[] | undefined };
}

const KIND: Readonly<Record<string, ChosenField["kind"]>> = { time: "period", bbox: "box" };

const facetField = (name: string, facet: CountedField): ChosenField => ({
  name,
  field: storedField(facet),
  kind: KIND[facet] ?? "text",
  several: !isSingle(facet),
});

/**
 * The requested fields in their order; by default the location and the flavour's facets.
 *
 * @throws InvalidParameters with an issue for each unknown field
 */
export function chosenFields(input: ChosenFieldsInput): ChosenField[] {
  const naming = namingOf(input);
  const known = new Map<string, ChosenField>();
  for (const [name, facet] of facetsByName(input)) known.set(name, facetField(name, facet));
  // Documents have a version whether or not all versions are searched.
  known.set("version", facetField("version", "version"));
  for (const name of ["file", "uri"])
    known.set(name, { name, field: name, kind: "text", several: false });
  for (const name of DETAIL_NAMES) {
    const { kind, several } = DETAILS[name];
    known.set(name, { name, field: name, kind, several: several === true });
  }
  const { name: nameOf } = translation(naming.flavour, naming.translate);
  const standard = [input.path.uniq_key, ...standardFacets(input).map(nameOf)];
  const names = listedNames(input.query.fields).flatMap((text) =>
    ALL.has(text) ? standard : [text],
  );
  const unknown = names.filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new InvalidParameters(
      unknown.map((name, before) => ({
        name: "fields",
        in: "query",
        reason: `${JSON.stringify(name)} ${unknownName(name, naming, [...known.keys()], before)}`,
      })),
    );
  }
  const wanted = new Set(names.length > 0 ? names : standard);
  return [...wanted].flatMap((name) => known.get(name) ?? []);
}
