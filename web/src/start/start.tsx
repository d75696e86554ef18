/** The first screen of a newcomer: what this archive has, in its own numbers, and three searches to start from. */
import { href, querySearching } from "../address/address.js";
import { Busy } from "../parts/busy.js";
import { Failure } from "../parts/failure.js";
import { Icon } from "../parts/icon.js";
import type { Counted } from "../search/facets.js";
import { useAnswer } from "../service/answer.js";
import { isBetterCut, USUAL } from "../service/years.js";
import { words } from "../words/start.js";
import { type About, about, type Example, type Tile, type Years } from "./about.js";
import { hideStart } from "./shown.js";
import { YearsPicture } from "./years-picture.js";

interface Props {
  readonly flavour: string;
  /** The facets of the whole archive. */
  readonly counted: Counted;
}

export function Start({ flavour, counted }: Props) {
  const { value, failure, retry } = useAnswer(`start ${flavour} ${counted.total_count}`, (signal) =>
    about(flavour, counted, signal),
  );
  return (
    <section class="start" aria-labelledby="start-title">
      <h2 id="start-title" class="visually-hidden">
        {words.title}
      </h2>
      <button type="button" class="plain start-hide" aria-label={words.hideAll} onClick={hideStart}>
        {words.hide} <Icon of="close" />
      </button>
      {failure !== undefined && value === undefined ? (
        <Failure failure={failure} retry={retry} />
      ) : value === undefined ? (
        <Busy of={words.asking} />
      ) : (
        <ArchiveNumbers flavour={flavour} total={counted.total_count} about={value} />
      )}
    </section>
  );
}

/** The years of nearly all files: a few control runs from year 1 would stretch the period. */
function periodOf({ first, last, bars }: Years): string | undefined {
  if (first === null || last === null) return undefined;
  const sum = (some: Years["bars"]): number => some.reduce((all, { files }) => all + files, 0);
  const later = sum(bars.filter((bar) => bar.last >= USUAL.first)) / Math.max(sum(bars), 1);
  return isBetterCut(first, last, later)
    ? words.mostYears(USUAL.first, last)
    : words.years(first, last);
}

interface ArchiveNumbersProps {
  readonly flavour: string;
  readonly total: number;
  readonly about: About;
}

function ArchiveNumbers({
  flavour,
  total,
  about: { tiles, more, years, examples },
}: ArchiveNumbersProps) {
  const names = words.projects(
    tiles.map(({ name }) => name),
    more,
  );
  return (
    <>
      <div class="start-head">
        <div>
          <p class="start-sentence">
            {total === 0 ? (
              words.empty
            ) : (
              <>
                <strong>{words.sentence(words.files(total), names, periodOf(years))}.</strong>{" "}
                {words.does}
              </>
            )}
          </p>
          {examples.length > 0 && <Examples flavour={flavour} examples={examples} />}
        </div>
        <YearsPicture tiles={tiles} />
      </div>
      {tiles.length > 1 && <Tiles flavour={flavour} tiles={tiles} />}
    </>
  );
}

function Examples({
  flavour,
  examples,
}: {
  readonly flavour: string;
  readonly examples: readonly Example[];
}) {
  return (
    <>
      <h3>{words.examples}</h3>
      <ul class="bare start-examples" aria-label={words.exampleSearches}>
        {examples.map(({ texts, files, pairs }) => (
          <li key={texts.join()}>
            <a class="start-example" href={href("", querySearching({ flavour, pairs }))}>
              <span>{texts.join(", ")}</span> <small>{words.files(files)}</small>
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

function Tiles({ flavour, tiles }: { readonly flavour: string; readonly tiles: readonly Tile[] }) {
  return (
    <ul class="bare start-tiles" aria-label={words.tiles}>
      {tiles.map(({ name, files, years, pairs }, at) => (
        <li key={name}>
          <a
            class={`start-tile start-tile-${at}`}
            href={href("", querySearching({ flavour, pairs }))}
          >
            <strong>{name}</strong>
            <span>{words.files(files)}</span>
            <small>{periodOf(years) ?? words.noYears}</small>
          </a>
        </li>
      ))}
    </ul>
  );
}
