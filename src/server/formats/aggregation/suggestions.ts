/** Formats what a typed text may mean. */
import type { components } from "../../../../generated/openapi.js";
import type { Candidate, Counted } from "../../../domain/suggestions/read-typed.js";

type Suggestions = components["schemas"]["Suggestions"];
type Suggestion = Suggestions["parts"][number]["suggestions"][number];

export interface SuggestedPart {
  readonly text: string;
  readonly suggestions: readonly Counted[];
}

/**
 * @param total files of the search without the text
 * @param best the best of each part, and the files that the search finds with all of them
 */
export function suggestions(
  total: number,
  parts: readonly SuggestedPart[],
  best: { readonly taken: readonly Candidate[]; readonly count: number },
): Suggestions {
  return {
    total_count: total,
    parts: parts.map(({ text, suggestions }) => ({ text, suggestions: suggestions.map(shown) })),
    not_understood: parts
      .filter(({ suggestions }) => suggestions.length === 0)
      .map(({ text }) => text),
    best: {
      count: best.count,
      filters: best.taken.map(({ name, value }) => ({ name, value })),
    },
  };
}

const shown = ({ kind, name, value, label, match, count }: Counted): Suggestion => ({
  kind,
  name,
  value,
  ...(label !== undefined && { label }),
  similarity: match,
  count,
});
