// biome-ignore-all lint/a11y/noStaticElementInteractions: the list only keeps the focus in the box
/**
 * The search box of every view: suggestions as somebody types. A combobox with a list (WAI-ARIA Authoring Practices,
 * "Combobox"): the focus stays in the box, arrow keys move the active option, Enter takes it.
 */
import { useEffect, useId, useMemo, useRef, useState } from "preact/hooks";
import { announce } from "../parts/announce.js";
import { Icon } from "../parts/icon.js";
import { words } from "../words/finder.js";
import { groupsOf, isExcluded, List, type Option, optionId } from "./list.js";
import { MAX_LENGTH, type Typed, take, useSuggestions } from "./suggestions.js";

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

  useSearchKey(box);

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

  useEffect(() => {
    if (shown) document.getElementById(optionId(id, active))?.scrollIntoView({ block: "nearest" });
  }, [active, shown]);

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
          aria-activedescendant={shown && options.length > 0 ? optionId(id, active) : undefined}
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
        <List
          id={id}
          groups={groups}
          typed={typed}
          active={active}
          setActive={setActive}
          accept={(option) => typed && accept(option, typed)}
        />
      </div>
    </div>
  );
}

/** Ctrl+K leads to the box from everywhere. */
function useSearchKey(box: { readonly current: HTMLInputElement | null }): void {
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
}
