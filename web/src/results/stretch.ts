/** Periods of an answer, as numbers. */
import type { components } from "../../../generated/openapi.js";
import { type Interval, intervalOf } from "../../../src/domain/extent/intervals.js";

export type Stretch = components["schemas"]["Stretch"];

/** Milliseconds since 1970; infinite if open. */
export const intervalOfStretch = ({ start, end }: Stretch): Interval =>
  intervalOf(`[${start ?? "*"} TO ${end ?? "*"}]`) ?? { start: -Infinity, end: Infinity };
