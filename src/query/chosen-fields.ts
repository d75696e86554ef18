/** Which fields of the documents an answer has. */
import { InvalidParameters } from "../errors.js";
import { DETAIL_NAMES, DETAILS } from "../vocabulary/details.js";
import { type CountedField, FACETS, isSingle, storedField } from "../vocabulary/facets.js";
import {
  type Flavour,
  listedFacets,
  searchableFacets,
  translation,
} from "../vocabulary/flavours.js";
import { unknownName } from "../vocabulary/unknown-name.js";
import type { UniqKey } from "./search.js";

export interface ChosenField {
  /** As the flavour calls it. */
  readonly name: string;
  /** The field of the schema, with docValues. */
  readonly field: string;
  /** `bytes` are whole numbers, `moment` a point in time, `flag` true or false, `period` a range, `box` a text in degrees. */
  readonly kind: "text" | "bytes" | "moment" | "flag" | "period" | "box";
  /** Whether a document may have several values of it. */
  readonly several: boolean;
}

export interface ChosenFieldsInput {
  readonly path: { readonly flavour: Flavour; readonly uniq_key: UniqKey };
  readonly query: {
    readonly "multi-version": boolean;
    readonly translate: boolean;
    readonly fields?: readonly string[] | undefined;
  };
}

const ALL = new Set(["*", "all"]);
const KIND: Readonly<Record<string, ChosenField["kind"]>> = { time: "period", bbox: "box" };

const location = (name: UniqKey): ChosenField => ({
  ...{ name, field: name, kind: "text", several: false },
});

const facetField = (name: string, facet: CountedField): ChosenField => ({
  ...{ name, field: storedField(facet) },
  ...{ kind: KIND[facet] ?? "text", several: !isSingle(facet) },
});

/**
 * The fields in the order in which they were asked for; where none was, the location and the facets of the flavour.
 *
 * @throws InvalidParameters that names every unknown field
 */
export function chosenFields({ path, query }: ChosenFieldsInput): ChosenField[] {
  const { flavour, uniq_key: key } = path;
  const { name: nameOf } = translation(flavour, query.translate);
  const known = new Map<string, ChosenField>();
  for (const facet of [...searchableFacets(flavour), "version"] as CountedField[]) {
    known.set(nameOf(facet), facetField(nameOf(facet), facet));
  }
  for (const name of ["file", "uri"] as const) known.set(name, location(name));
  for (const name of DETAIL_NAMES) {
    const { kind, several } = DETAILS[name];
    known.set(name, { name, field: name, kind, several: several === true });
  }
  const listed: CountedField[] = listedFacets(flavour).filter((facet) => !FACETS[facet].onRequest);
  const version: readonly CountedField[] = query["multi-version"] ? ["version"] : [];
  const standard = [key, ...[...listed, ...version].map(nameOf)];
  const asked = (query.fields ?? []).flatMap((text) => text.split(",")).map((text) => text.trim());
  const names = asked
    .filter((text) => text !== "")
    .flatMap((text) => (ALL.has(text) ? standard : [text]));
  const unknown = names.filter((name) => !known.has(name));
  if (unknown.length > 0) {
    const naming = { flavour, translate: query.translate };
    throw new InvalidParameters(
      unknown.map((name) => ({
        name: "fields",
        in: "query",
        reason: `${JSON.stringify(name)} ${unknownName(name, naming, [...known.keys()])}`,
      })),
    );
  }
  const wanted = new Set(names.length > 0 ? names : standard);
  return [...wanted].flatMap((name) => known.get(name) ?? []);
}
