/** Durations as plain numbers give the same text as prom-client's own histogram. */
import { Histogram, Registry } from "prom-client";
import { expect, it } from "vitest";
import { Durations } from "../../../../src/server/monitoring/metrics/durations.js";
import { mergedText } from "../../../../src/server/monitoring/metrics/merged-figures.js";
import { chance, SEED } from "../../../support/run/trials.js";

const NAME = { name: "some_seconds", help: "Some durations" };
const BOUNDS = [0.001, 0.01, 0.1, 1];

/** The same durations, counted by this service and by prom-client. */
function counted(seed: number) {
  const random = chance(seed);
  const [ours, theirs] = [new Registry(), new Registry()];
  const durations = new Durations(ours, { ...NAME, bounds: BOUNDS });
  const histogram = new Histogram({
    ...NAME,
    labelNames: ["what", "status"],
    buckets: BOUNDS,
    registers: [theirs],
  });
  durations.start("none 0", { what: "none", status: 0 });
  histogram.zero({ what: "none", status: 0 });
  for (let n = 0; n < 500; n += 1) {
    const what = random() < 0.5 ? "search" : "list";
    const status = random() < 0.9 ? 200 : 503;
    // Also durations that equal a bound, and one above all bounds.
    const seconds = random() < 0.2 ? (BOUNDS[n % 4] ?? 0) : 10 ** (random() * 5 - 4);
    durations.add(`${what} ${status}`, () => ({ what, status }), seconds);
    histogram.observe({ what, status }, seconds);
  }
  return { ours, theirs };
}

/** Series in any order. */
const lines = (text: string): string[] => text.split("\n").sort();

it("gives the text of prom-client's histogram for random durations", async () => {
  const { ours, theirs } = counted(SEED);
  expect(lines(await ours.metrics())).toEqual(lines(await theirs.metrics()));
});

it("is added up over several processes like prom-client's histogram", async () => {
  const [one, two] = [counted(SEED), counted(SEED + 1)];
  const merged = async (registries: readonly Registry[]): Promise<string[]> =>
    lines(await mergedText(await Promise.all(registries.map((each) => each.getMetricsAsJSON()))));
  const ours = await merged([one.ours, two.ours]);
  expect(ours).toEqual(await merged([one.theirs, two.theirs]));
  expect(ours.some((line) => line.startsWith("some_seconds_count"))).toBe(true);
});
