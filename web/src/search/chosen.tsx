/** All constraints of the search, each with a button to remove it, including those that have no facet. */
import { useEffect, useRef } from "preact/hooks";
import { change, go, search } from "../address/address.js";
import { words } from "../words/search.js";
import { constraintWords } from "./constraint-words.js";
import { type Constraint, drop } from "./constraints.js";
import { longName } from "./long-names.js";
import { meantValue } from "./value-text.js";

interface Props {
  readonly constraints: readonly Constraint[];
  /** Native names of facets, for long names. */
  readonly natives: ReadonlyMap<string, string>;
}

export function Chosen({ constraints, natives }: Props) {
  const list = useRef<HTMLUListElement>(null);
  const removed = useRef<number | undefined>(undefined);
  // Keeps the focus in the list when its button is gone.
  useEffect(() => {
    const place = removed.current;
    removed.current = undefined;
    if (place === undefined) return;
    const buttons = list.current?.querySelectorAll("button") ?? [];
    const next = buttons[Math.min(place, buttons.length - 1)];
    if (next) next.focus();
    else document.querySelector<HTMLElement>("main")?.focus({ preventScroll: true });
  }, [constraints]);
  if (constraints.length === 0) return null;
  const remove = (constraint: Constraint, place: number): void => {
    removed.current = place;
    change((query) => drop(query, constraint));
  };
  const clear = (): void => {
    removed.current = 0;
    const { flavour } = search.value;
    go("", new URLSearchParams(flavour === undefined ? {} : { flavour }));
  };
  return (
    <section class="chosen" aria-labelledby="chosen-title">
      <h2 id="chosen-title" class="visually-hidden">
        {words.constraints}
      </h2>
      <ul class="bare" ref={list}>
        {constraints.map((constraint, place) => {
          const text = constraintWords(constraint);
          const long =
            constraint.kind === "value"
              ? longName(natives.get(constraint.name) ?? "", meantValue(constraint.value))
              : undefined;
          return (
            <li
              key={JSON.stringify([constraint.pair, place])}
              class={constraint.isExcluded ? "chip is-excluded" : "chip"}
              title={long}
            >
              <span>{text}</span>
              <button
                type="button"
                class="plain"
                aria-label={words.remove(text)}
                onClick={() => remove(constraint, place)}
              >
                <span aria-hidden="true">×</span>
              </button>
            </li>
          );
        })}
        {constraints.length > 1 && (
          <li>
            <button type="button" class="plain" onClick={clear}>
              {words.clearAll}
            </button>
          </li>
        )}
      </ul>
    </section>
  );
}
