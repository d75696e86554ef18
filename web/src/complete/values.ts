/** The values of a facet that a search finds, for suggestions. */
import { useAnswer } from "../service/answer.js";
import { ask, type Pairs } from "../service/request.js";

/** Suggestions that a list shows at once. */
const MAX_SHOWN = 50;

/** @param name undefined as long as nobody needs them */
export function useValues(
  flavour: string,
  pairs: Pairs,
  name: string | undefined,
): readonly string[] {
  const key = name === undefined ? undefined : JSON.stringify([flavour, pairs, name]);
  const { value = [] } = useAnswer(key, async (signal) => {
    const asked = { in: { flavour, uniq_key: "file" }, signal };
    const query: Pairs = [...pairs, ["facets", name ?? ""]];
    const answer = await ask("/databrowser/metadata-search/{flavour}/{uniq_key}", {
      ...asked,
      query,
    });
    const flat = answer.facets[name ?? ""] ?? [];
    return flat.filter((_, index) => index % 2 === 0);
  });
  return value;
}

/** Those that begin with what was typed, then those that have it elsewhere. */
export function suggested(values: readonly string[], typed: string): readonly string[] {
  const text = typed.trim().toLowerCase();
  const has = values.filter((value) => value.includes(text));
  const [begins, others] = [
    has.filter((value) => value.startsWith(text)),
    has.filter((value) => !value.startsWith(text)),
  ];
  return [...begins, ...others].slice(0, MAX_SHOWN);
}
