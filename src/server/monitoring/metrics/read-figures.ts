/** Metrics that are read from elsewhere at each scrape. */
import { Counter, Gauge, type Registry } from "prom-client";

/** One number, or one for each value of the label. */
type Numbers = number | Iterable<readonly [value: string, number: number]>;

export interface ReadFigure {
  readonly name: string;
  readonly help: string;
  /** Undefined for a single number. */
  readonly label?: string;
  readonly read: () => Numbers | Promise<Numbers>;
  /** How a gauge of several processes is merged; their sum if it is left out. */
  readonly aggregator?: "max";
}

const labelNames = (label: string | undefined): string[] => (label === undefined ? [] : [label]);

function each(
  numbers: Numbers,
  label: string | undefined,
  take: (labels: Record<string, string>, number: number) => void,
): void {
  if (typeof numbers === "number") take({}, numbers);
  else
    for (const [value, number] of numbers)
      take(label === undefined ? {} : { [label]: value }, number);
}

/** Registers a gauge. */
export function readGauge(
  registry: Registry,
  { name, help, label, read, aggregator }: ReadFigure,
): void {
  new Gauge({
    ...(aggregator && { aggregator }),
    name,
    help,
    labelNames: labelNames(label),
    registers: [registry],
    async collect() {
      each(await read(), label, (labels, number) => this.set(labels, number));
    },
  });
}

/** Registers a counter. */
export function readCounter(registry: Registry, { name, help, label, read }: ReadFigure): void {
  new Counter({
    name,
    help,
    labelNames: labelNames(label),
    registers: [registry],
    async collect() {
      const numbers = await read();
      this.reset();
      each(numbers, label, (labels, number) => this.inc(labels, number));
    },
  });
}
