/** Unites the attributes of joined files by a rule that never lets one file speak for the others. */
import type { Attribute, AttributeValue } from "../../../netcdf/model.js";
import { JoinRefused } from "../../errors.js";

/**
 * Attributes that change what values mean. Files in which they differ are not joined. Fill values are not among them: they are
 * compared with the values. Nor are valid ranges, which xarray does not apply.
 */
const MEANING: ReadonlySet<string> = new Set([
  ...["units", "calendar", "standard_name", "positive", "axis", "formula_terms", "_Unsigned"],
  ...["cell_methods", "cell_measures", "grid_mapping", "grid_mapping_name", "coordinates"],
  ...["bounds", "climatology", "flag_values", "flag_meanings", "flag_masks", "compress"],
  ...["units_metadata", "_Encoding", "ancillary_variables", "scale_factor", "add_offset"],
]);

/** Global attributes that differ between datasets, in the words of CMIP5, CMIP6 and CORDEX. Files may lack them. */
const OF_DATASET = [
  ...["source_id", "model_id", "experiment_id", "variant_label", "grid_label", "realization"],
  ...["realization_index", "driving_model_id", "driving_model_ensemble_member"],
];

/** Global attributes that identify files. Their values become a list, in the order of the files. */
const IDENTIFYING: ReadonlySet<string> = new Set(["tracking_id"]);

/** The attributes of one file, with its name for messages. */
export interface Attributed {
  readonly file: string;
  readonly attributes: readonly Attribute[];
}

/** Attributes that all files share, and the names of those that differ. */
interface United {
  readonly attributes: readonly Attribute[];
  readonly dropped: readonly string[];
}

/** A text by which values are compared: numbers with their kind, texts without surrounding space. */
export function valueKey(value: AttributeValue | undefined): string {
  if (value === undefined) return "";
  if (value.kind === "text") return JSON.stringify(["text", value.value.trim()]);
  if (value.kind === "texts") return JSON.stringify(value);
  return JSON.stringify([value.kind, value.isFloat, value.values.map(String)]);
}

const find = (attributes: readonly Attribute[], name: string): AttributeValue | undefined =>
  attributes.find((one) => one.name === name)?.value;

/**
 * The attributes of a variable. Equal ones stay, others are dropped.
 *
 * @param ignored names that are not compared and stay as the first file has them
 * @throws JoinRefused if one differs that changes what values mean
 */
export function uniteVariable(
  variable: string,
  all: readonly Attributed[],
  ignored: ReadonlySet<string> = new Set(),
): United {
  return unite(all, (name, first, other) => {
    if (ignored.has(name)) return true;
    if (!MEANING.has(name)) return false;
    const texts = [first, other].map(
      (one) => `${shown(find(one.attributes, name))} in ${one.file}`,
    );
    throw new JoinRefused(`The ${name} of ${variable} differ: ${texts.join(", ")}.`);
  });
}

/** @throws JoinRefused if files say that they are of different datasets: those with the same times would replace each other */
export function requireOneDataset(all: readonly Attributed[]): void {
  for (const name of OF_DATASET) {
    const values = new Map<string, string>();
    for (const { file, attributes } of all) {
      const value = find(attributes, name);
      if (value !== undefined && !values.has(valueKey(value)))
        values.set(valueKey(value), `${shown(value)} in ${file}`);
    }
    const [first, other] = values.values();
    if (other === undefined) continue;
    throw new JoinRefused(`The files are of different datasets: ${name} is ${first}, ${other}.`);
  }
}

/** Global attributes. Equal ones stay, those that identify a file become lists, others are dropped. */
export function uniteGlobal(all: readonly Attributed[]): United {
  const { attributes, dropped } = unite(all, () => false);
  const lists = dropped.flatMap((name): Attribute[] => {
    if (!IDENTIFYING.has(name)) return [];
    const texts = all.flatMap(({ attributes: own }) => {
      const value = find(own, name);
      return value?.kind === "text" ? [value.value] : [];
    });
    const values = [...new Set(texts)];
    return values.length === 0 ? [] : [{ name, value: { kind: "texts", values } }];
  });
  return {
    attributes: [...attributes, ...lists],
    dropped: dropped.filter((name) => !lists.some((list) => list.name === name)),
  };
}

/** @param keeps whether an attribute that differs stays as it is in the first file */
function unite(
  all: readonly Attributed[],
  keeps: (name: string, first: Attributed, other: Attributed) => boolean,
): United {
  const [first] = all;
  if (first === undefined) return { attributes: [], dropped: [] };
  // Files of one series share most lists, which are interned: each is compared once.
  const others = new Map(all.map((one) => [one.attributes, one]));
  others.delete(first.attributes);
  const dropped = new Set<string>();
  const own = new Map(first.attributes.map(({ name, value }) => [name, valueKey(value)]));
  for (const other of others.values()) {
    const theirs = new Map(other.attributes.map(({ name, value }) => [name, valueKey(value)]));
    for (const name of new Set([...own.keys(), ...theirs.keys()])) {
      if (own.get(name) === theirs.get(name) || dropped.has(name)) continue;
      if (!keeps(name, first, other)) dropped.add(name);
    }
  }
  return {
    attributes: first.attributes.filter(({ name }) => !dropped.has(name)),
    dropped: [...dropped].sort(),
  };
}

/** A value for a message; at most 60 characters. */
function shown(value: AttributeValue | undefined): string {
  if (value === undefined) return "none";
  const text =
    value.kind === "text" ? value.value : value.values.map((one) => String(one)).join(" ");
  return text.length > 60 ? `"${text.slice(0, 59)}…"` : `"${text}"`;
}
