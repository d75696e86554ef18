/**
 * Makes a NetCDF-3 file of a few kilobytes with the header of a CMIP6 file: a variable of two times, two latitudes and
 * eight longitudes, and the global attributes that name its facets.
 *
 * Source: NetCDF Classic File Format specification, CDF-1.
 */

const TYPE = { char: 2, float: 5, double: 6 } as const;
const TAG = { dimension: 10, variable: 11, attribute: 12 } as const;
/** An absent list: no tag and no elements. */
const ABSENT = [0, 0];
const DIMENSIONS = { time: 2, bnds: 2, lat: 2, lon: 8 } as const;

const LONGITUDES = [0, 45, 90, 135, 180, 225, 270, 315];

type Attributes = Readonly<Record<string, string>>;

interface Variable {
  readonly name: string;
  readonly dimensions: readonly (keyof typeof DIMENSIONS)[];
  readonly attributes: Attributes;
  readonly type: "float" | "double";
  readonly values: readonly number[];
}

const padded = (bytes: number): number => Math.ceil(bytes / 4) * 4;

class Writer {
  readonly #parts: Buffer[] = [];

  integers(...values: readonly number[]): this {
    const bytes = Buffer.alloc(values.length * 4);
    for (const [i, value] of values.entries()) bytes.writeInt32BE(value, i * 4);
    this.#parts.push(bytes);
    return this;
  }

  text(text: string): this {
    const bytes = Buffer.alloc(padded(Buffer.byteLength(text)));
    bytes.write(text);
    this.integers(Buffer.byteLength(text));
    this.#parts.push(bytes);
    return this;
  }

  attributes(attributes: Attributes): this {
    const all = Object.entries(attributes);
    if (all.length === 0) return this.integers(...ABSENT);
    this.integers(TAG.attribute, all.length);
    for (const [name, value] of all) this.text(name).integers(TYPE.char).text(value);
    return this;
  }

  values({ type, values }: Variable): this {
    const bytes = Buffer.alloc(sizeOf(type, values));
    for (const [i, value] of values.entries()) {
      if (type === "float") bytes.writeFloatBE(value, i * 4);
      else bytes.writeDoubleBE(value, i * 8);
    }
    this.#parts.push(bytes);
    return this;
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#parts);
  }
}

const sizeOf = (type: "float" | "double", values: readonly number[]): number =>
  padded(values.length * (type === "float" ? 4 : 8));

function header(
  attributes: Attributes,
  variables: readonly Variable[],
  begins: readonly number[],
): Buffer {
  const names = Object.keys(DIMENSIONS);
  const out = new Writer().integers(0x43444601, 0, TAG.dimension, names.length);
  for (const [name, length] of Object.entries(DIMENSIONS)) out.text(name).integers(length);
  out.attributes(attributes).integers(TAG.variable, variables.length);
  for (const [i, { name, dimensions, attributes, type, values }] of variables.entries()) {
    out.text(name).integers(dimensions.length, ...dimensions.map((one) => names.indexOf(one)));
    out.attributes(attributes).integers(TYPE[type], sizeOf(type, values), begins[i] ?? 0);
  }
  return out.bytes;
}

/**
 * @param days its two times, in days since 1850-01-01 of the standard calendar, and half a step
 * @param attributes global attributes
 */
export function tinyNetcdf(
  variable: string,
  days: { readonly first: number; readonly last: number; readonly half: number },
  attributes: Attributes,
): Buffer {
  const { first, last, half } = days;
  const units = { units: "days since 1850-01-01", calendar: "standard" };
  const variables: Variable[] = [
    {
      name: "time",
      dimensions: ["time"],
      type: "double",
      values: [first, last],
      attributes: { ...units, standard_name: "time", axis: "T", bounds: "time_bnds" },
    },
    {
      name: "time_bnds",
      dimensions: ["time", "bnds"],
      type: "double",
      attributes: {},
      values: [first - half, first + half, last - half, last + half],
    },
    {
      name: "lat",
      dimensions: ["lat"],
      type: "double",
      values: [-45, 45],
      attributes: { units: "degrees_north", standard_name: "latitude", axis: "Y" },
    },
    {
      name: "lon",
      dimensions: ["lon"],
      type: "double",
      values: LONGITUDES,
      attributes: { units: "degrees_east", standard_name: "longitude", axis: "X" },
    },
    {
      name: variable,
      dimensions: ["time", "lat", "lon"],
      type: "float",
      attributes: {
        units: "K",
        standard_name: "air_temperature",
        long_name: `Quantity ${variable}`,
        cell_methods: "area: time: mean",
      },
      values: Array.from({ length: 32 }, (_, i) => 270 + i),
    },
  ];
  const length = header(attributes, variables, []).length;
  const begins: number[] = [];
  let at = length;
  for (const { type, values } of variables) {
    begins.push(at);
    at += sizeOf(type, values);
  }
  const out = new Writer();
  for (const one of variables) out.values(one);
  return Buffer.concat([header(attributes, variables, begins), out.bytes]);
}
