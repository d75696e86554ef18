/** The service's suggestions for a typed text, and the changes that each makes to the search. */
import { useEffect, useState } from "preact/hooks";
import { change, go, place, querySearching, search } from "../address/address.js";
import { searchedText } from "../search/value-text.js";
import { type AnswerState, useAnswer } from "../service/answer.js";
import { useFlavour } from "../service/flavours.js";
import { type Answer, getJson } from "../service/request.js";
import { VIEWS } from "../shell/views.js";

const PATH = "/databrowser/suggest/{flavour}";

type Suggestions = Answer<typeof PATH>;
export type Suggestion = Suggestions["parts"][number]["suggestions"][number];
export type Filter = Suggestions["best"]["filters"][number];

/** The suggestions, with what they are for. */
export interface Typed extends Suggestions {
  readonly text: string;
  readonly flavour: string;
}

/** Milliseconds without a key before a request. */
const PAUSE = 60;
/** As many as the service reads. */
export const MAX_LENGTH = 200;
/** Suggestions for each part of a text. */
const LIMIT = "8";

/** The suggestions for a text; those for an earlier one until they arrive. */
export function useSuggestions(typed: string): AnswerState<Typed> {
  const text = typed.trim();
  const [settled, settle] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => settle(text), text === "" ? 0 : PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  const flavour = useFlavour();
  const { pairs } = search.value;
  const key =
    settled === "" || flavour === undefined ? undefined : JSON.stringify([flavour, settled, pairs]);
  return useAnswer(key, async (signal) => {
    const query = [...pairs, ["text", settled], ["limit", LIMIT]] as const;
    const named = flavour ?? "";
    const answer = await getJson(PATH, { in: { flavour: named }, query, signal });
    return { ...answer, text: settled, flavour: named };
  });
}

/** The best of all parts, with one suggestion in place of the best of its own part. */
export function withBest(typed: Typed, at: number, chosen: Suggestion): readonly Filter[] {
  return typed.parts.flatMap(({ suggestions: [best] }, index) => {
    if (index === at) return [chosen];
    return best !== undefined && best.count > 0 ? [best] : [];
  });
}

/** Adds filters to the search. A period or a region replaces that of the search. @param flavour that of their names */
export function take(filters: readonly Filter[], flavour: string): void {
  const add = (query: URLSearchParams): void => {
    query.set("flavour", flavour);
    for (const { name, value } of filters) {
      if (name === "time" || name === "bbox") query.set(name, value);
      else if (!query.getAll(name).includes(searchedText(value))) {
        query.append(name, searchedText(value));
      }
    }
  };
  if (VIEWS[place.value.view].searching) change(add);
  else {
    const query = querySearching();
    add(query);
    go("", query);
  }
}
