/** Suggested values of a facet. */
import { useAnswer } from "../service/answer.js";
import { ask, type Pairs } from "../service/request.js";

const MAX_SHOWN = 50;

/** @param name undefined until values are needed */
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

/** Values that start with the typed text, then those that contain it. */
export function suggested(values: readonly string[], typed: string): readonly string[] {
  const text = typed.trim().toLowerCase();
  const has = values.filter((value) => value.includes(text));
  const [begins, others] = [
    has.filter((value) => value.startsWith(text)),
    has.filter((value) => !value.startsWith(text)),
  ];
  return [...begins, ...others].slice(0, MAX_SHOWN);
}
