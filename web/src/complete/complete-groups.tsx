/** Models that meet all requirements, near misses, and the exports of the complete ones. */
import { useEffect } from "preact/hooks";
import { announce } from "../parts/announce.js";
import { Busy } from "../parts/busy.js";
import { CodeLines } from "../parts/code/code-lines.js";
import { Failure } from "../parts/failure.js";
import { FileLink } from "../parts/file-link.js";
import { useJson } from "../service/answer.js";
import { codeRequest } from "../service/code-request.js";
import { periodWords } from "../service/dates.js";
import { wholeNumber } from "../service/numbers.js";
import { Refused } from "../service/problem.js";
import type { Answer, Pairs } from "../service/request.js";
import { words } from "../words/complete.js";
import { AddGroupsToCart } from "./add-groups-to-cart.js";
import { GroupTable } from "./group-table.js";
import { needWords } from "./needs.js";

const PATH = "/databrowser/complete/{flavour}";
const LISTS = [
  {
    path: "/databrowser/data-search/{flavour}/{uniq_key}",
    text: words.pathList,
    file: "paths.txt",
    answer: "text",
  },
  {
    path: "/databrowser/intake-catalogue/{flavour}/{uniq_key}",
    text: words.intake,
    file: "catalogue.json",
    answer: "json",
  },
  {
    path: "/databrowser/stac-catalogue/{flavour}/{uniq_key}",
    text: words.stac,
    file: "catalogue.zip",
    answer: "bytes",
  },
] as const;

/** Exports do not take `near`, the number of near misses. */
const listed = (flavour: string, pairs: Pairs) => ({
  in: { flavour, uniq_key: "file" },
  query: pairs.filter(([name]) => name !== "near"),
});

const listRequests = (flavour: string, pairs: Pairs) =>
  LISTS.map(({ path, text, file, answer }) =>
    codeRequest(text, path, listed(flavour, pairs), { answer, file }),
  );

/** Groups shown; the exports have all of them. */
const MAX_SHOWN = 500;

type Complete = Answer<typeof PATH>;
type Gap = NonNullable<Complete["near_misses"][number]["missing"][number]["gaps"]>[number];

interface Props {
  readonly flavour: string;
  /** The search with `group_by` and `need`. */
  readonly pairs: Pairs;
  /** Takes over the requirements that `require_all_on` means. */
  readonly take?: ((answer: Complete) => void) | undefined;
}

export function CompleteGroups({ flavour, pairs, take }: Props) {
  const options = { in: { flavour }, query: pairs };
  const { value, failure, busy, retry } = useJson(PATH, options);
  const summary =
    value && words.found(wholeNumber(value.complete_count), wholeNumber(value.group_count));
  useEffect(() => {
    if (summary !== undefined && !busy) announce(summary);
  }, [summary, busy]);
  const isTooLarge = failure instanceof Refused && failure.status === 413;
  return (
    <section class="complete-answer">
      {busy && <Busy of={words.busy} />}
      {failure && <Failure failure={failure} retry={isTooLarge ? undefined : retry} />}
      {isTooLarge && <p>{words.tooLarge}</p>}
      {failure === undefined && value && (
        <>
          <p class="complete-told row">
            <span>{summary}</span>
            {value.complete_count > 0 && <AddGroupsToCart flavour={flavour} value={value} />}
          </p>
          {take && (
            <button type="button" onClick={() => take(value)}>
              {words.asNeeds}
            </button>
          )}
          <Groups value={value} />
          <Lists flavour={flavour} pairs={pairs} value={value} />
        </>
      )}
      <CodeLines
        requests={[
          codeRequest(words.codeGroups, PATH, options),
          ...(value?.complete_count ? listRequests(flavour, pairs) : []),
        ]}
      />
    </section>
  );
}

/** An open end is `null`. */
const gapOf = ({ from = null, to = null }: Gap): string =>
  periodWords({ start: from, end: to }) ?? words.allYears;

function Groups({ value }: { readonly value: Complete }) {
  const { group_by: names, needs, complete, near_misses: near } = value;
  const lacks = (missing: (typeof near)[number]["missing"]): string[] =>
    missing.map(({ need, gaps }) => {
      const text = needWords(needs[need]?.need ?? "");
      return gaps === undefined || gaps.length === 0
        ? words.lacksAll(text)
        : words.lacksYears(text, gaps.map(gapOf).join(", "));
    });
  return (
    <>
      <h2>{words.complete}</h2>
      {complete.length === 0 ? (
        <p>{words.noneComplete}</p>
      ) : (
        <GroupTable
          label={words.complete}
          names={names}
          groups={complete.slice(0, MAX_SHOWN).map((group) => ({ group }))}
        />
      )}
      {complete.length > MAX_SHOWN && (
        <p class="quiet">
          {words.completeShown(wholeNumber(MAX_SHOWN), wholeNumber(complete.length))}
        </p>
      )}
      {near.length > 0 && (
        <>
          <h2>{words.near}</h2>
          <GroupTable
            label={words.near}
            names={names}
            groups={near.map(({ group, missing }) => ({ group, lacks: lacks(missing) }))}
          />
        </>
      )}
    </>
  );
}

function Lists(props: {
  readonly flavour: string;
  readonly pairs: Pairs;
  readonly value: Complete;
}) {
  if (props.value.complete_count === 0) return null;
  return (
    <>
      <h2>{words.lists}</h2>
      <p class="row">
        {LISTS.map(({ path, text, file }) => (
          <FileLink
            key={path}
            class="button"
            file={file}
            path={path}
            options={listed(props.flavour, props.pairs)}
          >
            {text}
          </FileLink>
        ))}
      </p>
      <p class="quiet">{words.csvHint}</p>
    </>
  );
}
