/** Makes NetCDF-3 files of a few kilobytes (NetCDF Classic Format Specification, CDF-1), for trees of thousands. */

export type AttributeValue = string | number;

export interface ClassicVariable {
  readonly name: string;
  readonly dimensions: readonly string[];
  readonly attributes?: Readonly<Record<string, AttributeValue>>;
  readonly values: readonly number[];
}

export interface ClassicFile {
  /** Of length 0: that of records, of which there are none. */
  readonly dimensions: Readonly<Record<string, number>>;
  readonly attributes: Readonly<Record<string, AttributeValue>>;
  /** All of type double, without records. */
  readonly variables: readonly ClassicVariable[];
}

const [DIMENSION, VARIABLE, ATTRIBUTE] = [0x0a, 0x0b, 0x0c];
const [CHAR, DOUBLE] = [2, 6];

const int = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};

const double = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return bytes;
};

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([int(bytes.length), bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
}

const list = (tag: number, items: readonly Buffer[]): Buffer =>
  Buffer.concat([int(items.length > 0 ? tag : 0), int(items.length), ...items]);

const attributes = (all: Readonly<Record<string, AttributeValue>> = {}): Buffer =>
  list(
    ATTRIBUTE,
    Object.entries(all).map(([name, value]) =>
      typeof value === "string"
        ? Buffer.concat([text(name), int(CHAR), text(value)])
        : Buffer.concat([text(name), int(DOUBLE), int(1), double(value)]),
    ),
  );

/** The bytes of a file. */
export function classicFile({ dimensions, variables, ...file }: ClassicFile): Buffer {
  const names = Object.keys(dimensions);
  const header = (begin: number): Buffer => {
    let at = begin;
    const described = variables.map((variable) => {
      // Of what has records, those of one; it has its place although there are none.
      const lengths = variable.dimensions.map((name) => dimensions[name] || 1);
      const size = lengths.reduce((product, length) => product * length, 8);
      const start = at;
      at += size;
      return Buffer.concat([
        text(variable.name),
        int(variable.dimensions.length),
        ...variable.dimensions.map((name) => int(names.indexOf(name))),
        attributes(variable.attributes),
        int(DOUBLE),
        int(size),
        int(start),
      ]);
    });
    const lengths = names.map((name) => Buffer.concat([text(name), int(dimensions[name] ?? 0)]));
    return Buffer.concat([
      Buffer.from("CDF\x01"),
      int(0),
      list(DIMENSION, lengths),
      attributes(file.attributes),
      list(VARIABLE, described),
    ]);
  };
  const { length } = header(0);
  const data = variables.flatMap(({ values }) => values.map(double));
  return Buffer.concat([header(length), ...data]);
}
