import { wholeNumber } from "../service/numbers.js";

/** Texts shown while nothing is selected. */
export const words = {
  title: "Where to begin",
  lead: "Choose values of facets, a period or a region; the numbers say how many files each would leave. Look at what is found, put what you need into the cart, and take it along as a list, a catalogue or lines of code.",
  starts: "Three searches to start from",
  files: (count: number) => (count === 1 ? "1 file" : `${wholeNumber(count)} files`),
  empty: "There are no data in this index yet.",
} as const;
