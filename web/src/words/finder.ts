/** Texts of the search box. */
import { counted, filesText } from "../service/numbers.js";

export const words = {
  label: "Search the archive",
  placeholder: "tas historical MPI 1990-2000 Europe",
  hint: "Type variables, models, experiments, periods or places. Enter takes the best suggestion.",
  clear: "Clear the search box",
  suggestions: "Suggestions",
  files: filesText,
  kinds: { period: "period", region: "region", dataset: "dataset" },
  near: "similar",
  not: (text: string) => `not ${text}`,
  all: "Take all",
  of: (text: string) => `“${text}”`,
  asking: "Looking …",
  notUnderstood: (texts: readonly string[]) =>
    `Not understood: ${texts.map((text) => `“${text}”`).join(", ")}`,
  nothing: (text: string) =>
    `Nothing here is called “${text}”. Try a code, a long name, a year or a region.`,
  found: (count: number) => counted(count, "suggestion", "suggestions"),
  taken: (texts: readonly string[]) => `Search for ${texts.join(", ")}.`,
} as const;
