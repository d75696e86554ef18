/** The smallest arc of longitudes. */
import { describe, expect, it } from "vitest";
import { Longitudes } from "../../../src/files/cf/arc.js";

const arcOf = (degrees: readonly number[]) => {
  const longitudes = new Longitudes();
  for (const one of degrees) longitudes.add(one);
  return longitudes.arc();
};

/** By trying every point as its west end. */
function narrowest(degrees: readonly number[]): number {
  const widths = degrees.map((west) =>
    Math.max(...degrees.map((one) => (((one - west) % 360) + 360) % 360)),
  );
  return Math.min(...widths);
}

describe("an arc", () => {
  it("is the smallest that holds all points, wherever they lie and however they are written", () => {
    let seed = 5;
    const random = (): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    for (let round = 0; round < 500; round++) {
      const centre = random() * 1080 - 540;
      const spread = random() < 0.5 ? 20 : 360;
      const points = Array.from({ length: 1 + Math.floor(random() * 40) }, () => {
        const turns = Math.floor(random() * 3) - 1;
        return centre + (random() - 0.5) * spread + 360 * turns;
      });
      const arc = arcOf(points);
      expect(arc?.width).toBeCloseTo(narrowest(points), 8);
      expect(arc?.west).toBeGreaterThanOrEqual(-180);
      expect(arc?.west).toBeLessThan(180);
      for (const point of points) {
        const beyond = (((point - (arc?.west ?? 0)) % 360) + 360) % 360;
        expect(Math.min(beyond, 360 - beyond < 1e-6 ? 0 : beyond)).toBeLessThanOrEqual(
          (arc?.width ?? 0) + 1e-6,
        );
      }
    }
  });

  it("is the same of few points and of many, which are sorted into bins", () => {
    for (const step of [0.7, 1 / 3, 0.003]) {
      const points = Array.from({ length: 400 }, (_, i) => 250 + i * step);
      expect(arcOf(points)).toEqual(arcOf(Array.from({ length: 10 }, () => points).flat()));
    }
  });

  it("has no width for one point, is none for no points, and ignores what is not a number", () => {
    expect(arcOf([180])).toMatchObject({ west: -180, width: 0 });
    expect(arcOf([-1e-15])?.width).toBe(0);
    expect(arcOf([Number.NaN, Number.POSITIVE_INFINITY])).toBeUndefined();
    expect(arcOf([Number.NaN, 5, 7])).toMatchObject({ west: 5, width: 2 });
  });
});
