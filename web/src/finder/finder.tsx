// biome-ignore-all lint/a11y/useFocusableInteractive: the focus stays in the box, which names the active option
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the box handles the keys
// biome-ignore-all lint/a11y/noStaticElementInteractions: the list only keeps the focus in the box
/**
 * The search box of every view: suggestions as somebody types. A combobox with a list (WAI-ARIA Authoring Practices,
 * "Combobox"): the focus stays in the box, arrow keys move the active option, Enter takes it.
 */
import { useEffect, useId, useMemo, useRef, useState } from "preact/hooks";
import { announce } from "../parts/announce.js";
import { Icon } from "../parts/icon.js";
import { EXCLUDED } from "../search/constraints.js";
import { writtenPeriod } from "../service/dates.js";
import { words } from "../words/finder.js";
import {
  type Filter,
  MAX_LENGTH,
  type Suggestion,
  type Typed,
  take,
  useSuggestions,
  withBest,
} from "./suggestions.js";

interface Option {
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
function groupsOf(typed: Typed): readonly Group[] {
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
const isExcluded = (one: Filter): boolean => EXCLUDED.test(one.name);

/** A suggestion in few words. */
function written(one: Suggestion): string {
  const { kind, value, label } = one;
  const place = kind === "region" ? (label ?? value) : value;
  const text = kind === "period" ? writtenPeriod(value) : place;
  return isExcluded(one) ? words.not(text) : text;
}

export function Finder() {
  const [text, setText] = useState("");
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const [note, setNote] = useState<string>();
  const box = useRef<HTMLInputElement>(null);
  // Enter before the suggestions have arrived takes the best of those.
  const waits = useRef(false);
  const id = useId();
  const { value, failure, busy } = useSuggestions(text);
  const isCurrent = value !== undefined && value.text === text.trim() && !busy;
  const typed = text.trim() === "" ? undefined : value;
  const groups = useMemo(() => (typed === undefined ? [] : groupsOf(typed)), [typed]);
  const options = groups.flatMap(({ options }) => options);
  const shown = isOpen && text.trim() !== "";

  const accept = (option: Option | undefined, answer: Typed): void => {
    if (option === undefined || option.filters.length === 0) {
      setNote(words.nothing(answer.text));
      announce(words.nothing(answer.text));
      return;
    }
    const { not_understood: rest } = answer;
    take(option.filters, answer.flavour);
    setText(rest.join(" "));
    setOpen(false);
    setNote(rest.length > 0 ? words.notUnderstood(rest) : undefined);
    announce(
      words.taken(
        option.filters.map((one) => (isExcluded(one) ? words.not(one.value) : one.value)),
      ),
    );
  };

  useEffect(() => {
    setActive(0);
    if (value === undefined || !isCurrent) return;
    if (waits.current) {
      waits.current = false;
      accept(groupsOf(value)[0]?.options[0], value);
    } else if (isOpen) announce(words.found(options.length));
  }, [value, isCurrent]);

  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      box.current?.focus();
      box.current?.select();
    };
    addEventListener("keydown", focus);
    return () => removeEventListener("keydown", focus);
  }, []);

  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && options.length > 0) {
      event.preventDefault();
      setOpen(true);
      setActive((active + step + options.length) % options.length);
    } else if (event.key === "Escape" && shown) {
      // The first Escape closes the list, the next one clears the box.
      event.preventDefault();
      setOpen(false);
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (text.trim() === "") return;
      if (isCurrent && value !== undefined) accept(options[active], value);
      else waits.current = true;
    }
  };

  const optionId = (at: number): string => `${id}-${at}`;
  useEffect(() => {
    if (shown) document.getElementById(optionId(active))?.scrollIntoView({ block: "nearest" });
  }, [active, shown]);

  let at = 0;
  return (
    <div class="finder" role="search">
      <div class="finder-box">
        <Icon of="search" />
        <input
          ref={box}
          id={id}
          type="text"
          inputMode="search"
          enterkeyhint="search"
          role="combobox"
          aria-label={words.label}
          aria-describedby={`${id}-hint`}
          aria-expanded={shown && options.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={shown && options.length > 0 ? optionId(active) : undefined}
          placeholder={words.placeholder}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          maxLength={MAX_LENGTH}
          value={text}
          onInput={(event) => {
            waits.current = false;
            setText(event.currentTarget.value);
            setNote(undefined);
            setOpen(true);
          }}
          onFocus={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onKeyDown={onKeyDown}
        />
        {text !== "" && (
          <button
            type="button"
            class="plain"
            aria-label={words.clear}
            onClick={() => {
              setText("");
              setNote(undefined);
              box.current?.focus();
            }}
          >
            <Icon of="close" />
          </button>
        )}
        <span id={`${id}-hint`} class="visually-hidden">
          {words.hint}
        </span>
      </div>
      {note !== undefined && <p class="finder-note">{note}</p>}
      {/* Pressing a button of the mouse in the list must not take the focus from the box, which closes it. */}
      <div
        class="finder-list"
        hidden={!shown || note !== undefined}
        onPointerDown={(event) => event.preventDefault()}
        onMouseDown={(event) => event.preventDefault()}
      >
        {failure !== undefined && <p class="finder-told bad">{failure.message}</p>}
        {failure === undefined && typed === undefined && <p class="finder-told">{words.asking}</p>}
        {isCurrent && typed !== undefined && typed.not_understood.length > 0 && (
          <p class="finder-told warn">
            {options.length === 0
              ? words.nothing(typed.text)
              : words.notUnderstood(typed.not_understood)}
          </p>
        )}
        <div id={`${id}-list`} role="listbox" aria-label={words.suggestions}>
          {groups.map(({ title, options }) => (
            <div key={title ?? ""} role="group" aria-label={title ?? words.all}>
              {title !== undefined && <p class="finder-part">{words.of(title)}</p>}
              {options.map((option) => {
                const number = at++;
                return (
                  <div
                    key={number}
                    id={optionId(number)}
                    class="finder-option"
                    role="option"
                    aria-selected={number === active}
                    onPointerMove={() => setActive(number)}
                    onClick={() => typed && accept(option, typed)}
                  >
                    {option.one === undefined ? (
                      <AllParts typed={typed} />
                    ) : (
                      <One suggestion={option.one} />
                    )}
                    <span class="finder-count">{words.files(option.count)}</span>
                  </div>
                );
              })}
            </div>
          ))}
        </div>
      </div>
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
