import { wholeNumber } from "../service/numbers.js";

/** Texts shown while nothing is selected. */
export const words = {
  title: "Getting started",
  lead: "Choose facet values, a period or a region. The numbers tell how many files each choice would leave. Look at the results, add what you need to the cart, and download it as a list, a catalogue or code.",
  starts: "Example searches",
  files: (count: number) => (count === 1 ? "1 file" : `${wholeNumber(count)} files`),
  empty: "The index has no data yet.",
} as const;
