// biome-ignore-all lint/a11y/useFocusableInteractive: the focus stays in the box, which names the active option
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the box handles the keys
/** The suggestions below the search box, in groups. */
import { EXCLUDED } from "../search/constraints.js";
import { writtenPeriod } from "../service/dates.js";
import { words } from "../words/finder.js";
import { type Filter, type Suggestion, type Typed, withBest } from "./suggestions.js";

export interface Option {
  readonly filters: readonly Filter[];
  readonly count: number;
  /** Undefined for the best of all parts together. */
  readonly one?: Suggestion;
}

interface Group {
  readonly title?: string;
  readonly options: readonly Option[];
}

/** Alternatives for the parts before the last one, which is being typed. */
const MAX_EARLIER = 3;

/** All parts together first, then what each may mean, the last part first. */
export function groupsOf(typed: Typed): readonly Group[] {
  const { parts, best } = typed;
  const all: Group[] =
    best.filters.length > 1 ? [{ options: [{ filters: best.filters, count: best.count }] }] : [];
  const groups = parts.map(({ text, suggestions }, at): Group => {
    const isLast = at === parts.length - 1;
    const shown = isLast ? suggestions : suggestions.slice(0, MAX_EARLIER);
    return {
      title: text,
      options: shown.map((one) => ({ filters: withBest(typed, at, one), count: one.count, one })),
    };
  });
  return [...all, ...groups.reverse().filter(({ options }) => options.length > 0)];
}

/** The key of a suggestion, without the end that excludes. */
const keyOf = ({ name }: Filter): string => name.replace(EXCLUDED, "");
export const isExcluded = (one: Filter): boolean => EXCLUDED.test(one.name);

/** A suggestion in few words. */
function written(one: Suggestion): string {
  const { kind, value, label } = one;
  const place = kind === "region" ? (label ?? value) : value;
  const text = kind === "period" ? writtenPeriod(value) : place;
  return isExcluded(one) ? words.not(text) : text;
}

export const optionId = (id: string, number: number): string => `${id}-${number}`;

interface ListProps {
  /** The id of the search box. */
  readonly id: string;
  readonly groups: readonly Group[];
  readonly typed: Typed | undefined;
  /** Counted through all groups. */
  readonly active: number;
  readonly setActive: (number: number) => void;
  readonly accept: (option: Option) => void;
}

export function List({ id, groups, typed, active, setActive, accept }: ListProps) {
  let count = 0;
  return (
    <div id={`${id}-list`} role="listbox" aria-label={words.suggestions}>
      {groups.map(({ title, options }) => (
        <div key={title ?? ""} role="group" aria-label={title ?? words.all}>
          {title !== undefined && <p class="quiet finder-part">{words.of(title)}</p>}
          {options.map((option) => {
            const number = count++;
            return (
              <div
                key={number}
                id={optionId(id, number)}
                class="finder-option"
                role="option"
                aria-selected={number === active}
                onPointerMove={() => setActive(number)}
                onClick={() => accept(option)}
              >
                {option.one === undefined ? (
                  <AllParts typed={typed} />
                ) : (
                  <One suggestion={option.one} />
                )}
                <span class="quiet finder-count">{words.files(option.count)}</span>
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}

/** The best of each part. */
function AllParts({ typed }: { readonly typed: Typed | undefined }) {
  const best = (typed?.parts ?? []).flatMap(({ suggestions: [first] }) =>
    first !== undefined && first.count > 0 ? [first] : [],
  );
  return (
    <span class="finder-text">
      <strong>{words.all}</strong>
      {best.map((one) => (
        <span key={`${one.name}=${one.value}`} class="finder-piece">
          {written(one)}
        </span>
      ))}
    </span>
  );
}

function One({ suggestion }: { readonly suggestion: Suggestion }) {
  const { kind, similarity, label } = suggestion;
  return (
    <span class="finder-text">
      <strong>{written(suggestion)}</strong>
      {kind === "value" && label !== undefined && <span class="quiet">{label}</span>}
      <span class="finder-kind">
        {kind === "value" ? keyOf(suggestion) : words.kinds[kind]}
        {similarity === "near" && ` · ${words.near}`}
      </span>
    </span>
  );
}
