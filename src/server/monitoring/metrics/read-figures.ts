/** Metrics that are read from elsewhere at each scrape. */
import { Counter, Gauge, type Registry } from "prom-client";

/** One number, or one for each value of the label. */
type Numbers = number | Iterable<readonly [value: string, number: number]>;

interface ReadFigure {
  readonly name: string;
  readonly help: string;
  /** Undefined for a single number. */
  readonly label?: string;
  readonly read: () => Numbers | Promise<Numbers>;
  /** How a gauge of several processes is merged; their sum if it is left out. */
  readonly aggregator?: "max";
}

async function labelled({
  read,
  label = "",
}: ReadFigure): Promise<(readonly [labels: Record<string, string>, number])[]> {
  const numbers = await read();
  if (typeof numbers === "number") return [[{}, numbers]];
  return [...numbers].map(([value, number]) => [{ [label]: value }, number]);
}

const configuration = (registry: Registry, { name, help, label, aggregator }: ReadFigure) => ({
  ...(aggregator && { aggregator }),
  name,
  help,
  labelNames: label === undefined ? [] : [label],
  registers: [registry],
});

export function readGauge(registry: Registry, figure: ReadFigure): void {
  new Gauge({
    ...configuration(registry, figure),
    async collect() {
      for (const [labels, number] of await labelled(figure)) this.set(labels, number);
    },
  });
}

export function readCounter(registry: Registry, figure: ReadFigure): void {
  new Counter({
    ...configuration(registry, figure),
    async collect() {
      const all = await labelled(figure);
      this.reset();
      for (const [labels, number] of all) this.inc(labels, number);
    },
  });
}
