import { href, querySearching } from "../address/address.js";
import { loadLongNames, longName } from "../search/long-names/long-names.js";
import { useAnswer } from "../service/answer.js";
import { ask, type Pairs } from "../service/request.js";
import { words } from "../words/guide.js";
import { FIRST, mostFrequent, pairOf, startsOf } from "./starts.js";

const PATH = "/databrowser/metadata-search/{flavour}/{uniq_key}";

/** Shown as long as nothing is selected: three searches to start from. */
export function Guide({ flavour }: { readonly flavour: string }) {
  const { value, busy } = useAnswer(`guide ${flavour}`, async (signal) => {
    const counts = (query: Pairs) =>
      ask(PATH, { in: { flavour, uniq_key: "file" }, query, signal });
    const all = await counts([]);
    const first = mostFrequent(all, FIRST);
    if (first === undefined) return { total: all.total_count, starts: [] };
    const [within] = await Promise.all([counts([pairOf(first)]), loadLongNames()]);
    return { total: all.total_count, starts: startsOf(first, within) };
  });
  return (
    <section class="guide panel" aria-labelledby="guide">
      <h2 id="guide">{words.title}</h2>
      <p>{value?.total === 0 && !busy ? words.empty : words.lead}</p>
      {value !== undefined && value.starts.length > 0 && (
        <ul aria-label={words.starts}>
          {value.starts.map(({ of, files }) => (
            <li key={JSON.stringify(of)}>
              <a class="button" href={href("", querySearching({ flavour, pairs: of.map(pairOf) }))}>
                <span>
                  {of.map(({ native, value }) => longName(native, value) ?? value).join(" · ")}{" "}
                  <small>{words.files(files)}</small>
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
