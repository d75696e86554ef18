/** Durations that are counted as plain numbers, and become a histogram of Prometheus when they are scraped. */
import type { Histogram, Registry } from "prom-client";

type Labels = Readonly<Record<string, string | number>>;

interface Series {
  readonly labels: Labels;
  /** For each bound, the durations up to it that are above the bound before it. */
  readonly counts: number[];
  sum: number;
  count: number;
}

interface DurationsOptions {
  readonly name: string;
  readonly help: string;
  /** Upper bounds in seconds, in ascending order. */
  readonly bounds: readonly number[];
}

export class Durations {
  readonly #series = new Map<string, Series>();
  readonly #options: DurationsOptions;

  constructor(registry: Registry, options: DurationsOptions) {
    this.#options = options;
    // The registry needs a name, and `get` at each scrape. prom-client's own class finds a series by its labels at each call.
    const metric = { name: options.name, get: async () => this.#scraped() };
    registry.registerMetric(metric as unknown as Histogram);
  }

  /** Counts a duration. @param key differs if the labels of the series do; these are made once */
  add(key: string, labels: () => Labels, seconds: number): void {
    const series = this.#series.get(key) ?? this.start(key, labels());
    series.sum += seconds;
    series.count += 1;
    const { bounds } = this.#options;
    for (let i = 0; i < bounds.length; i += 1) {
      if (seconds > (bounds[i] ?? 0)) continue;
      series.counts[i] = (series.counts[i] ?? 0) + 1;
      return;
    }
  }

  /** Starts a series at 0. */
  start(key: string, labels: Labels): Series {
    const series = { labels, counts: this.#options.bounds.map(() => 0), sum: 0, count: 0 };
    this.#series.set(key, series);
    return series;
  }

  #scraped() {
    const { name, help, bounds } = this.#options;
    const values = [...this.#series.values()].flatMap(({ labels, counts, sum, count }) => {
      let below = 0;
      const buckets = bounds.map((le, i) => {
        below += counts[i] ?? 0;
        return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: below };
      });
      return [
        ...buckets,
        { metricName: `${name}_bucket`, labels: { le: "+Inf", ...labels }, value: count },
        { metricName: `${name}_sum`, labels, value: sum },
        { metricName: `${name}_count`, labels, value: count },
      ];
    });
    return { name, help, type: "histogram", aggregator: "sum", values };
  }
}
