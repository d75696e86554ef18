/** A small NetCDF-3 classic file: one variable along a record dimension. Source: NetCDF Classic Format Specification. */

export interface ClassicFile {
  readonly variable: string;
  /** Values of `time`; none of constant data. */
  readonly times: readonly number[];
  readonly units: string;
  readonly calendar: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

const CHAR = 2;
const DOUBLE = 6;
const [DIMENSIONS, VARIABLES, ATTRIBUTES] = [10, 11, 12];

const int = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const padded = (bytes: Buffer): Buffer =>
  Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
const text = (value: string): Buffer => {
  const bytes = Buffer.from(value);
  return Buffer.concat([int(bytes.length), padded(bytes)]);
};
const list = (tag: number, items: readonly Buffer[]): Buffer =>
  items.length === 0 ? Buffer.alloc(8) : Buffer.concat([int(tag), int(items.length), ...items]);
const attributes = (of: Readonly<Record<string, string>>): Buffer =>
  list(
    ATTRIBUTES,
    Object.entries(of).map(([name, value]) => Buffer.concat([text(name), int(CHAR), text(value)])),
  );

export function classicFile(file: ClassicFile): Buffer {
  const { variable, times, units, calendar, attributes: own = {} } = file;
  const width = 8;
  const variables = (begin: number): Buffer =>
    list(
      VARIABLES,
      [
        { name: "time", of: { units, calendar, axis: "T", standard_name: "time" } },
        { name: variable, of: { units: "K" } },
      ].map(({ name, of }, i) =>
        Buffer.concat([
          ...[text(name), int(1), int(0), attributes(of), int(DOUBLE), int(width)],
          int(begin + i * width),
        ]),
      ),
    );
  const head = (begin: number): Buffer =>
    Buffer.concat([
      ...[Buffer.from("CDF\u0001"), int(times.length)],
      list(DIMENSIONS, [Buffer.concat([text("time"), int(0)])]),
      ...[attributes(own), variables(begin)],
    ]);
  const data = Buffer.alloc(times.length * 2 * width);
  for (const [i, time] of times.entries()) {
    data.writeDoubleBE(time, i * 2 * width);
    data.writeDoubleBE(280 + i, i * 2 * width + width);
  }
  return Buffer.concat([head(head(0).length), data]);
}
