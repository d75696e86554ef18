/** The fill value that an array of zarr v2 has for the `_FillValue` of a variable. */
import { describe, expect, it } from "vitest";
import type { Attribute, Variable } from "../../../src/files/netcdf/model.js";
import { planArray } from "../../../src/files/zarr/metadata/array-plan.js";

function variable(dtype: string, ...attributes: Attribute[]): Variable {
  return {
    name: "v",
    dimensions: ["x"],
    shape: [3],
    storedShape: [3],
    attributes,
    type: { kind: "plain", dtype, size: Number(dtype.slice(2)) },
    stored: { kind: "as-is", size: Number(dtype.slice(2)) },
    storage: { kind: "absent" },
    fill: undefined,
    padding: undefined,
  };
}

const fillValue = (value: number | bigint, isFloat = false): Attribute => ({
  name: "_FillValue",
  value: { kind: "numbers", values: [value], isFloat },
});

const unsigned = (value: string): Attribute => ({
  name: "_Unsigned",
  value: { kind: "text", value },
});

describe("the fill value of an array", () => {
  it.each([
    ["|i1", "true", 255, -1],
    ["|i1", "true", -1, -1],
    ["|u1", "false", -1, 255],
    ["|u1", "false", 255, 255],
    [">i2", "true", 65535, -1],
    ["<i8", "true", 2n ** 64n - 1n, -1n],
  ] as const)(
    "has the bits of the other sign: %s, _Unsigned %s, %s",
    (dtype, sign, value, fill) => {
      expect(planArray("v", variable(dtype, fillValue(value), unsigned(sign))).fill?.text).toBe(
        fill,
      );
    },
  );

  it.each([
    ["|i1", "false", 255],
    ["|u1", "true", -1],
    ["|i1", "true", 256],
    ["|i1", "true", -129],
    ["<i8", "true", 2n ** 64n],
  ] as const)("is none of another type: %s, _Unsigned %s, %s", (dtype, sign, value) => {
    const plan = planArray("v", variable(dtype, fillValue(value), unsigned(sign)));
    expect(plan.fill).toBeUndefined();
  });

  it("is of the variable's type without _Unsigned", () => {
    expect(planArray("v", variable("|i1", fillValue(255))).fill).toBeUndefined();
    expect(planArray("v", variable("<i2", fillValue(-9999, true))).fill).toBeUndefined();
    expect(planArray("v", variable("<f4", fillValue(1.5, true))).fill?.text).toBe(1.5);
    expect(planArray("v", variable("|i1")).fill).toBeUndefined();
  });
});
