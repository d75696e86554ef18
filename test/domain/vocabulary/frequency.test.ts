/** Labels of time frequencies. */
import { describe, expect, it } from "vitest";
import { DAY, HOUR, MINUTE } from "../../../src/domain/extent/durations.js";
import {
  frequencyOf,
  frequencyOfDuration,
  isFrequencyLabel,
} from "../../../src/domain/extent/frequency.js";

describe("a frequency", () => {
  it.each([
    ["30min", 30 * MINUTE],
    ["1hr", HOUR],
    ["1hr", 3520 * 1000],
    ["3hr", 3 * HOUR],
    ["6hr", 6 * HOUR],
    ["day", DAY],
    ["5day", 5 * DAY],
    ["mon", 28 * DAY],
    ["mon", 31 * DAY],
    ["mon", 30.436849 * DAY],
    ["sem", 91 * DAY],
    ["yr", 360 * DAY],
    ["yr", 365.25 * DAY],
    ["dec", 3652 * DAY],
    [undefined, 1000],
    [undefined, 45 * DAY],
    [undefined, 1000 * DAY],
  ])("is %s for a step of %d ms", (label, step) => {
    expect(frequencyOf(step)).toBe(label);
  });

  it.each([
    ["P1D", "day"],
    ["P1M", "mon"],
    ["P1Y", "yr"],
    ["PT6H", "6hr"],
    ["PT30M", "30min"],
    ["P45D", undefined],
    ["P", undefined],
    ["monthly", undefined],
    ["", undefined],
  ])("is read from the duration %s as %s", (text, label) => {
    expect(frequencyOfDuration(text)).toBe(label);
  });

  it("is a label of CMIP or CORDEX, or one made like them, and no sentence", () => {
    const labels = "1hr 1hrCM 1hrPt 3hr 3hrPt 6hr 6hrPt day dec fx mon monC monPt subhrPt yr yrPt";
    for (const label of [...labels.split(" "), "monClim", "subhr", "sem", "30min", "15min"]) {
      expect(isFrequencyLabel(label), label).toBe(true);
    }
    for (const text of ["", "monthly", "sampled half hourly", "P1M", "days", "mon day"]) {
      expect(isFrequencyLabel(text), text).toBe(false);
    }
  });
});
