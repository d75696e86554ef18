import { href, querySearching } from "../address/address.js";
import { useAnswer } from "../service/answer.js";
import { type Answer, getJson, type Pairs } from "../service/request.js";
import { words } from "../words/search.js";
import { loadLongNames, longName } from "./long-names/long-names.js";
import { searchedText } from "./value-text.js";

const PATH = "/databrowser/metadata-search/{flavour}/{uniq_key}";

/** Shown as long as nothing is selected: three searches to start from. */
export function Guide({ flavour }: { readonly flavour: string }) {
  const { value, busy } = useAnswer(`guide ${flavour}`, async (signal) => {
    const counts = (query: Pairs) =>
      getJson(PATH, { in: { flavour, uniq_key: "file" }, query, signal });
    const all = await counts([]);
    const first = mostFrequent(all, FIRST);
    if (first === undefined) return { total: all.total_count, starts: [] };
    const [within] = await Promise.all([counts([pairOf(first)]), loadLongNames()]);
    return { total: all.total_count, starts: startsOf(first, within) };
  });
  return (
    <section class="guide panel" aria-labelledby="guide">
      <h2 id="guide">{words.guide.title}</h2>
      <p>{value?.total === 0 && !busy ? words.guide.empty : words.guide.lead}</p>
      {value !== undefined && value.starts.length > 0 && (
        <ul aria-label={words.guide.starts}>
          {value.starts.map(({ of, files }) => (
            <li key={JSON.stringify(of)}>
              <a class="button" href={href("", querySearching({ flavour, pairs: of.map(pairOf) }))}>
                <span>
                  {of.map(({ native, value }) => longName(native, value) ?? value).join(" · ")}{" "}
                  <small>{words.gives(files)}</small>
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

type Counts = Answer<"/databrowser/metadata-search/{flavour}/{uniq_key}">;

interface Frequent {
  readonly native: string;
  /** The facet's name in the flavour. */
  readonly name: string;
  readonly value: string;
  readonly files: number;
}

interface Start {
  readonly of: readonly Frequent[];
  readonly files: number;
}

const pairOf = ({ name, value }: Frequent) => [name, searchedText(value)] as const;

/** The most frequent value of the first of these facets that has values. */
function mostFrequent(
  { facets, facet_mapping: names }: Counts,
  natives: readonly string[],
): Frequent | undefined {
  for (const native of natives) {
    const name = names[native] ?? native;
    const flat = facets[name] ?? [];
    let best: Frequent | undefined;
    for (let at = 0; at + 1 < flat.length; at += 2) {
      const files = Number(flat[at + 1]);
      if (files > (best?.files ?? 0)) {
        best = { native, name, value: flat[at] ?? "", files };
      }
    }
    if (best !== undefined) return best;
  }
  return undefined;
}

/** Facets of the first value: the measured quantity, or else whatever describes most files. */
const FIRST = ["variable", "model", "project", "experiment"] as const;
/** Facets of the second value. */
const NEXT = [
  ["experiment", "product", "project"],
  ["model", "institute", "ensemble", "time_frequency"],
] as const;

/**
 * The first value alone, and combined with the most frequent values beside it.
 *
 * @param within the counts of the files that have the first value
 */
function startsOf(first: Frequent, within: Counts): readonly Start[] {
  const others = NEXT.flatMap((natives) => {
    const rest = natives.filter(
      (native) => (within.facet_mapping[native] ?? native) !== first.name,
    );
    const next = mostFrequent(within, rest);
    if (next === undefined) return [];
    return [{ of: [first, next], files: next.files }];
  });
  return [{ of: [first], files: first.files }, ...others];
}
