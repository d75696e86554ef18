/** The type of joined values: the types, packings and fill values of all files, united or refused. */
import type { Attribute, ElementType } from "../../../netcdf/model.js";
import { JoinRefused } from "../../errors.js";
import { encodeFill, type ServedFill } from "../../metadata/array-plan.js";
import { type Conversion, isFloatType, PACKING } from "../convert.js";
import type { VariableForm } from "../file-facts.js";
import { uniteVariable, valueKey } from "./attributes.js";
import { shapeOf } from "./fixed-variables.js";
import { attributed, type FileGroup, type FileRun, type KnownFile } from "./planned.js";

const VALID: ReadonlySet<string> = new Set(["valid_min", "valid_max", "valid_range"]);

/** A variable along the axis, in the files that have it. */
export interface Along {
  readonly name: string;
  readonly axis: string;
  readonly groups: readonly FileGroup[];
  /** Indexes of the groups that have it, and their runs in order. */
  readonly within: readonly number[];
  readonly runs: readonly FileRun[];
  /** Its forms, with a file that has each, in order. */
  readonly forms: ReadonlyMap<VariableForm, KnownFile>;
  /** The first of them, and the dimension of the axis in it. */
  readonly form: VariableForm;
  readonly at: number;
  /** The joined shape, without the dimension of members. */
  readonly shape: readonly number[];
  readonly hasMembers: boolean;
  /** Whether files of these groups lack it: they are filled with its fill value. */
  readonly lacks: boolean;
}

/**
 * The attributes of a variable, with a sentence about those that are left out.
 *
 * @param ignored names that are not compared and stay as the first file has them
 * @throws JoinRefused if one differs that changes what values mean
 */
export function unitedAttributes({ name, runs }: Along, ignored: ReadonlySet<string>) {
  const files = runs.map(({ file }) => file);
  const { attributes, dropped } = uniteVariable(name, attributed(files, name), ignored);
  const reasons =
    dropped.length === 0 ? [] : [`Attributes that differ are left out: ${dropped.join(", ")}.`];
  return { attributes, reasons };
}

/** The type of joined values, and how those of a form become it. */
export interface JoinedType {
  readonly type: ElementType;
  readonly attributes: readonly Attribute[];
  readonly fill: ServedFill | undefined;
  readonly reasons: readonly string[];
  conversionOf(form: VariableForm): Conversion | undefined;
}

/** @throws JoinRefused if types or dimensions cannot be united */
export function joinedType(along: Along): JoinedType {
  const { lacks, forms, form: first } = along;
  requireSameShape(along);
  const { attributes, reasons } = unitedAttributes(along, PACKING);
  const all = [...forms.keys()];
  const packings = new Set(all.map(packingKey));
  const types = new Set(all.map(({ type }) => JSON.stringify(type)));
  if (packings.size === 1 && types.size === 1) {
    return {
      type: first.type,
      attributes,
      fill: fillOf(first, lacks),
      reasons,
      conversionOf: () => undefined,
    };
  }
  const plain = all.flatMap(({ type }) => (type.kind === "plain" ? [type.dtype] : []));
  const orderless = new Set(plain.map((dtype) => dtype.slice(1)));
  if (plain.length === all.length && packings.size === 1 && orderless.size === 1) {
    const [kind = ""] = orderless;
    const dtype = `<${kind}`;
    const conversion: Conversion = { dtype, isUnpacked: false };
    const type = { kind: "plain", dtype, size: Number(kind.slice(1)) } as const;
    return {
      type,
      attributes,
      fill: fillOf({ ...first, type }, lacks),
      reasons: [
        ...reasons,
        "The order of bytes differs: those of big-endian files are turned round.",
      ],
      conversionOf: ({ type: own }) =>
        own.kind === "plain" && own.dtype !== dtype ? conversion : undefined,
    };
  }
  return unpacked(along, attributes, reasons);
}

const packingKey = ({ attributes }: VariableForm): string =>
  JSON.stringify(
    attributes
      .filter(({ name }) => PACKING.has(name))
      .map(({ name, value }) => [name, valueKey(value)])
      .sort(),
  );

/** Values by CF's rules for packed data (2.5.1, 8.1), as floating-point numbers with NaN for missing ones. */
function unpacked(
  { name, forms }: Along,
  attributes: readonly Attribute[],
  reasons: readonly string[],
): JoinedType {
  const all = [...forms.keys()];
  const dtypes = all.map(({ type }) => (type.kind === "plain" ? type.dtype : ""));
  const isScaled = all.some((form) =>
    form.attributes.some((one) => one.name === "scale_factor" || one.name === "add_offset"),
  );
  const names = [...forms.values()].map((file) => file.name);
  const files = `${names[0]} and ${names.at(-1)}`;
  const areNumbers = dtypes.every((dtype) => /^[<>|][fiu][1248]$/.test(dtype));
  const areWhole = dtypes.every((dtype) => !isFloatType(dtype));
  const sameSize = new Set(dtypes.map((dtype) => dtype.slice(1))).size === 1;
  if (
    !areNumbers ||
    dtypes.some((dtype) => /[iu]8$/.test(dtype)) ||
    (areWhole && !isScaled && !sameSize)
  ) {
    throw new JoinRefused(
      `The types or fill values of ${name} differ in ${files}: ${[...new Set(dtypes)].join(", ")}.`,
    );
  }
  const isSingle = !isScaled && dtypes.every((dtype) => dtype.slice(1) === "f4");
  const dtype = isSingle ? "<f4" : "<f8";
  const conversion: Conversion = { dtype, isUnpacked: true };
  const fill = nanFill(isSingle ? Float32Array : Float64Array);
  const removed = (attribute: string): boolean =>
    PACKING.has(attribute) || attribute === "_Unsigned" || (isScaled && VALID.has(attribute));
  return {
    type: { kind: "plain", dtype, size: fill.bytes.length },
    attributes: attributes.filter((one) => !removed(one.name)),
    fill,
    reasons: [
      ...reasons,
      isScaled
        ? `Files are packed differently, such as ${files}: values are unpacked.`
        : `Fill values or types differ, such as in ${files}: missing values are NaN.`,
    ],
    conversionOf: () => conversion,
  };
}

/** @param lacks whether a fill value is needed */
function fillOf(
  { attributes, type, name }: Pick<VariableForm, "attributes" | "type" | "name">,
  lacks: boolean,
): ServedFill | undefined {
  const own = encodeFill({ attributes, type });
  if (own !== undefined || !lacks) return own;
  const dtype = type.kind === "plain" ? type.dtype : "";
  if (!/^<f[48]$/.test(dtype) || attributes.some((one) => one.name === "_FillValue")) {
    throw new JoinRefused(`${name} has no fill value, so files without it cannot be filled.`);
  }
  return nanFill(dtype === "<f4" ? Float32Array : Float64Array);
}

function nanFill(floats: typeof Float32Array | typeof Float64Array) {
  const bytes = new Uint8Array(floats.of(Number.NaN).buffer);
  return { text: Number.NaN, bytes, isCommon: true };
}

function requireSameShape({ name, forms }: Along): void {
  const [[first, file] = []] = forms;
  for (const [form, other] of forms) {
    if (first === undefined || file === undefined || shapeOf(first) === shapeOf(form)) continue;
    throw new JoinRefused(
      `The grids differ: ${name}${shapeOf(first)} in ${file.name}, ${name}${shapeOf(form)} in ${other.name}.`,
    );
  }
}
