/** The period of a search: a timeline, two fields, and presets. */
import { useId, useState } from "preact/hooks";
import { change, search } from "../../address/address.js";
import { CheckBox } from "../../parts/check-box.js";
import { DraftFields } from "../../parts/draft-fields.js";
import { ScrollingTable } from "../../parts/scrolling.js";
import { Select } from "../../parts/select.js";
import { useSettling } from "../../parts/use-settling.js";
import { useAnswer } from "../../service/answer.js";
import { endText, writtenPeriod } from "../../service/dates.js";
import { useFlavour } from "../../service/flavours.js";
import { wholeNumber } from "../../service/numbers.js";
import { getJson, type Pairs, type RequestOptions } from "../../service/request.js";
import { USUAL } from "../../service/years.js";
import { words } from "../../words/place.js";
import { periodIn, setPeriod, setSelect } from "../in-search.js";
import { foundWithout, YEARS } from "../requests.js";
import { type Histogram, histogramOf, shownFirst } from "./histogram.js";
import {
  type Ends,
  endsOfYears,
  periodFault,
  periodText,
  presets,
  type Years,
  yearsOf,
  yearText,
} from "./period-text.js";
import { Timeline } from "./timeline.js";

/** Edits `time` and `time_select` in the address. */
export function Period() {
  const { pairs } = search.value;
  const { chosen = {}, text, select, others } = periodIn(pairs);
  const take = (ends: Ends): void => change((query) => setPeriod(query, text, ends));
  const settling = useSettling<Ends>(chosen, text ?? "", take);
  const flavour = useFlavour();
  const options = flavour === undefined ? undefined : foundWithout("time", flavour);
  const found = useAnswer(options && JSON.stringify(options), (signal) =>
    yearsFound({ ...options, signal }),
  ).value;
  const heading = useId();
  const years = yearsOf(settling.value);
  const { from = "", to = "" } = settling.value;
  const [isWhole, showWhole] = useState(false);
  const { whole, part } = found ?? {};
  const histogram = isWhole ? whole : (part ?? whole);
  const { first, last } = spanOf(histogram, years);
  const ends = (of: Years): Ends => mergedEnds(settling.value, of);
  return (
    <section class="period" aria-labelledby={heading}>
      <h2 id={heading}>{words.period}</h2>
      <Timeline
        first={first}
        last={last}
        years={years}
        histogram={histogram}
        show={(of) => settling.show(ends(of))}
        move={(of) => settling.move(ends(of))}
        settle={(of) => settling.settle(ends(of))}
        drop={settling.drop}
      />
      {whole && part && (
        <CheckBox isOn={isWhole} set={showWhole}>
          {words.whole(yearText(whole.first), yearText(whole.last))}
        </CheckBox>
      )}
      <DraftFields
        held={{ from: endText(from, false), to: endText(to, true) }}
        labels={{ from: words.from, to: words.to }}
        size={12}
        hint={words.dateHint}
        faultOf={faultOf}
        take={(texts) => {
          const isRead = faultOf(texts) === undefined;
          if (isRead) take(texts);
          return isRead;
        }}
      />
      <div class="row" role="group" aria-label={words.presets}>
        {presets(new Date().getFullYear()).map(({ name, ...preset }) => (
          <button
            key={name}
            type="button"
            aria-pressed={periodText(endsOfYears(preset)) === text}
            onClick={() => settling.settle(endsOfYears(preset))}
          >
            {words.preset(name, preset.first, preset.last)}
          </button>
        ))}
        <button
          type="button"
          class="plain"
          disabled={text === undefined}
          onClick={() => settling.settle({})}
        >
          {words.clearPeriod}
        </button>
      </div>
      <Select
        class="select-field"
        label={words.timeSelect}
        value={select}
        options={Object.entries(words.timeSelects)}
        disabled={text === undefined}
        choose={(one) => change((query) => setSelect(query, "time", one))}
      />
      {others.length > 0 && (
        <p class="quiet">
          {words.otherPeriods} {others.map(writtenPeriod).join("; ")}
        </p>
      )}
      {whole && <HistogramTable histogram={whole} />}
    </section>
  );
}

/** The years of the track: those found and those chosen. */
function spanOf(found: Years | undefined, { first, last }: Years): Required<Years> {
  const all = found?.first === undefined || found.last === undefined ? USUAL : found;
  const ends = [all.first, all.last, first, last].filter((year) => year !== undefined);
  const [min, max] = [Math.min(...ends), Math.max(...ends)];
  return { first: min, last: max > min ? max : min + 1 };
}

/** Keeps an end as written if its year is unchanged: a month stays while the other end moves. */
function mergedEnds(before: Ends, years: Years): Ends {
  const [was, is] = [yearsOf(before), endsOfYears(years)];
  const from = was.first === years.first ? before.from : is.from;
  const to = was.last === years.last ? before.to : is.to;
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

/** The fault of a period in words. */
function faultOf(ends: Ends): string | undefined {
  const fault = periodFault(ends);
  return fault && words.periodFault(fault);
}

function HistogramTable({ histogram }: { readonly histogram: Histogram }) {
  const filled = histogram.bars.filter(({ files }) => files > 0);
  return (
    <details>
      <summary>{words.histogramTable}</summary>
      <ScrollingTable
        label={words.histogramTable}
        class="short"
        columns={[words.years, { name: words.files, isNumber: true }]}
      >
        {filled.map(({ first, last, files }) => (
          <tr key={first}>
            <th scope="row">
              {first === last ? yearText(first) : `${yearText(first)} to ${yearText(last)}`}
            </th>
            <td class="number">{wholeNumber(files)}</td>
          </tr>
        ))}
      </ScrollingTable>
    </details>
  );
}

interface YearsFound {
  readonly whole: Histogram;
  /** Finer counts of the years to show first, if these are not all. */
  readonly part?: Histogram;
}

/** @returns undefined if no file found has a period */
async function yearsFound(options: RequestOptions): Promise<YearsFound | undefined> {
  const whole = histogramOf(await getJson(YEARS, options));
  if (whole === undefined) return undefined;
  const since = shownFirst(whole);
  if (since <= whole.first) return { whole };
  const query: Pairs = [...(options.query ?? []), ["since", String(since)]];
  const part = histogramOf(await getJson(YEARS, { ...options, query }));
  return { whole, ...(part && { part }) };
}
