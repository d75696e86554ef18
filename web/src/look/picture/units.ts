/** Units that scientists read beside those of the file. The only table of conversions. Pure. */

import { withValues } from "../data/percentiles.js";
import type { Field, Series, Variable } from "../data/types.js";
import { textOf, unitsOf } from "../variables.js";

export interface Conversion {
  /** In addresses. */
  readonly key: string;
  /** For people. */
  readonly units: string;
  /** Each is computed in float32, as numpy does. Differences are scaled only. */
  readonly scale: (value: number) => number;
  readonly shift: (value: number) => number;
  /** The same as Python, applied to `field`. */
  readonly python: { readonly scale: string; readonly shift: string };
}

const same = (value: number): number => value;
const ZERO_CELSIUS = Math.fround(273.15);

interface Rule extends Conversion {
  /** Spellings of the file's units, without blanks, `*` and `^`. */
  readonly from: RegExp;
  /** The standard name that the variable must have. */
  readonly fits: (variable: Variable) => boolean;
}

/** A difference of temperatures has no zero of its own: subtracting 273.15 would be wrong. */
const isTemperature = (variable: Variable): boolean =>
  !/\b(?:anomaly|difference|spread|error|uncertainty|tendency)\b/i.test(
    `${textOf(variable, "standard_name").replaceAll("_", " ")} ${textOf(variable, "long_name")}`,
  ) && !/\b(?:range|standard_deviation|variance)\b/.test(textOf(variable, "cell_methods"));

/** Water that falls: a kilogram on a square metre is a millimetre of it. */
const isPrecipitation = (variable: Variable): boolean =>
  /(?:^|_)(?:precipitation|rainfall|snowfall)_flux$/.test(textOf(variable, "standard_name"));

const RULES: readonly Rule[] = [
  {
    key: "degC",
    units: "°C",
    from: /^(?:k|kelvin|degk|deg_k)$/i,
    fits: isTemperature,
    scale: same,
    shift: (value) => Math.fround(value - ZERO_CELSIUS),
    python: { scale: "", shift: " - 273.15" },
  },
  {
    key: "mm_day",
    units: "mm/day",
    from: /^(?:kgm-2s-1|kg\/m2\/s|kg\/\(m2s\)|kgm-2\/s)$/i,
    fits: isPrecipitation,
    scale: (value) => Math.fround(value * 86_400),
    shift: same,
    python: { scale: " * 86400", shift: "" },
  },
  {
    key: "hPa",
    units: "hPa",
    from: /^(?:pa|pascal)$/i,
    fits: () => true,
    scale: (value) => Math.fround(value / 100),
    shift: same,
    python: { scale: " / 100", shift: "" },
  },
];

const plainUnits = (variable: Variable): string => unitsOf(variable).replaceAll(/[\s*^]/g, "");

/** The same for `W/m2` and `W m-2`. */
const withoutSlashes = (variable: Variable): string =>
  unitsOf(variable)
    .replaceAll(/\/\s*([a-z]+)(?:\^|\*\*)?(\d*)/gi, (_, unit, power) => ` ${unit}-${power || 1}`)
    .replaceAll(/[\s*^]/g, "");

/** Whether two variables may have the same units, in any spelling known here: a variable without units has unknown ones. */
export function isSameUnits(one: Variable, other: Variable): boolean {
  if (unitsOf(one) === "" || unitsOf(other) === "") return true;
  const [own, their] = [plainUnits(one), plainUnits(other)];
  const isKnown = RULES.some(({ from }) => from.test(own) && from.test(their));
  return isKnown || own === their || withoutSlashes(one) === withoutSlashes(other);
}

/** The conversion that a variable allows; undefined if none. */
export const conversionOf = (variable: Variable): Conversion | undefined => {
  const units = plainUnits(variable);
  return RULES.find(({ from, fits }) => from.test(units) && fits(variable));
};

const apply = (
  values: Float32Array,
  { scale, shift }: Conversion,
  isDifference: boolean,
): Float32Array => values.map((value) => (isDifference ? scale(value) : shift(scale(value))));

export const convertField = (field: Field, to: Conversion, isDifference: boolean): Field =>
  withValues(field, apply(field.values, to, isDifference), to.units);

export const convertSeries = (series: Series, to: Conversion): Series => ({
  ...series,
  values: apply(series.values, to, false),
  units: to.units,
});

/** Python that converts `field`; "" if nothing changes. */
export const conversionLine = ({ python, units }: Conversion, isDifference: boolean): string => {
  const by = isDifference ? python.scale : python.scale + python.shift;
  return by === "" ? "" : `field = field${by}  # ${units}`;
};
