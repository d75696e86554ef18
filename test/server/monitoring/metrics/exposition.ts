/** Reads the text format of Prometheus, as strictly as its own parser. */
export interface Exposition {
  /** By name: its type. */
  readonly types: ReadonlyMap<string, string>;
  /** By name and labels, as they stand there. */
  readonly values: ReadonlyMap<string, number>;
}

const LINE = /^([a-z_:][a-z0-9_:]*)(?:\{((?:[a-z_]+="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (\S+)$/i;

/** @throws on a line that is none */
export function readExposition(text: string): Exposition {
  const types = new Map<string, string>();
  const values = new Map<string, number>();
  for (const line of text.split("\n")) {
    const [, name, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
    if (name !== undefined && type !== undefined) types.set(name, type);
    if (line === "" || line.startsWith("#")) continue;
    const [, metric, labels = "", value] = LINE.exec(line) ?? [];
    if (metric === undefined) throw new Error(`no line of an exposition: ${line}`);
    const series = labels === "" ? metric : `${metric}{${labels.split(",").sort().join(",")}}`;
    if (values.has(series)) throw new Error(`twice: ${series}`);
    const number = Number(value === "+Inf" ? "Infinity" : value);
    if (Number.isNaN(number)) throw new Error(`no number: ${line}`);
    values.set(series, number);
  }
  return { types, values };
}
