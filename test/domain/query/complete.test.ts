import { describe, expect, it } from "vitest";
import { GroupAccumulator } from "../../../src/domain/completeness/group-accumulator.js";
import { needOf } from "../../../src/domain/completeness/need.js";

const DAY = 86_400_000;
/** More than a call may have arguments. */
const FILES = 130_000;

describe("a group of very many files with gaps between them", () => {
  it("lists what it lacks of a period without an end", () => {
    const need = needOf("variable:tas;from=1850", [{ field: "variable", values: ["tas"] }], [0], {
      from: "1850",
    });
    const groupBy = [{ name: "model", field: "model" }];
    const groups = new GroupAccumulator({ groupBy, needs: [need], isOfAll: true });
    const date = (days: number) => new Date(days * DAY).toISOString();
    groups.add(
      Array.from({ length: FILES }, (_, i) => ({
        ...{ model: "m", variable: "tas" },
        time_raw: `[${date(3 * i)} TO ${date(3 * i)}]`,
      })),
    );
    const { near, complete } = groups.result();
    expect(complete).toEqual([]);
    const [gap] = near[0]?.missing[0]?.gaps ?? [];
    expect(gap).toEqual({ start: Date.UTC(1850), end: 0 });
  });
});
