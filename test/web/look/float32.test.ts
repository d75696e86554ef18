/** Float32 in files that the page saves, as numpy prints it. */
import { describe, expect, it } from "vitest";
import { float32Text } from "../../../web/src/look/data/float32-text.js";

describe("a float32", () => {
  // As str(numpy.float32(...)) gives them.
  it.each([
    [0.1, "0.1"],
    [288.15, "288.15"],
    [1 / 3, "0.33333334"],
    [101325, "101325.0"],
    [123456789, "123456790.0"],
    [1e-4, "0.0001"],
    [9.9e-5, "9.9e-05"],
    [-1.5e-10, "-1.5e-10"],
    [1e16, "1e+16"],
    [3.4028235e38, "3.4028235e+38"],
    [1e-45, "1e-45"],
    [0, "0.0"],
    [-0, "-0.0"],
    [Number.NEGATIVE_INFINITY, "-inf"],
  ])("is written as short as possible: %s is %s", (value, text) => {
    expect(float32Text(Math.fround(value))).toBe(text);
  });

  it("is read back as the same number, and not with one digit less", () => {
    const bits = new Uint32Array(1);
    const floats = new Float32Array(bits.buffer);
    for (let step = 0; step < 20_000; step++) {
      bits[0] = Math.imul(step, 2_654_435_761);
      const [value = 0] = floats;
      if (!Number.isFinite(value)) continue;
      const text = float32Text(value);
      expect(Object.is(Math.fround(Number(text)), value), text).toBe(true);
      const digits = text
        .replace(/e.*|^-/g, "")
        .replace(".", "")
        .replace(/^0+|0+$/g, "").length;
      if (digits > 1) expect(Math.fround(Number(value.toPrecision(digits - 1)))).not.toBe(value);
    }
  });
});
