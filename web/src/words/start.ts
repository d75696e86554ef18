/** Texts of the first screen. */
import { filesText } from "../service/numbers.js";

const listed = (names: readonly string[], more: number): string => {
  const all = more > 0 ? [...names, `${more} more`] : names;
  const last = all.at(-1) ?? "";
  return all.length < 2 ? last : `${all.slice(0, -1).join(", ")} and ${last}`;
};

export const words = {
  title: "About this archive",
  projects: listed,
  sentence: (files: string, projects: string, period: string | undefined) =>
    [`${files}${projects === "" ? "" : ` of ${projects}`}`, period]
      .filter((part) => part !== undefined)
      .join(", "),
  does: "Search them, look at them, and take them along as code.",
  files: filesText,
  years: (first: number, last: number) => (first === last ? `${first}` : `${first} to ${last}`),
  mostYears: (first: number, last: number) => `mostly ${first} to ${last}`,
  noYears: "no period given",
  picture: "Files by year",
  pictureOf: (parts: readonly string[]) => `Files by year: ${parts.join("; ")}`,
  tiles: "Projects",
  examples: "For example",
  exampleSearches: "Example searches",
  hide: "Hide",
  hideAll: "Hide: about this archive",
  show: "About this archive",
  empty: "The index has no data yet.",
  asking: "Counting …",
} as const;
