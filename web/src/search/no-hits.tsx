/** Nothing is found: which constraints to drop, with the count that each would give, and similar values. */
import { change, search } from "../address/address.js";
import { Busy } from "../parts/busy.js";
import { Drawing } from "../parts/drawing.js";
import { Failure } from "../parts/failure.js";
import { words } from "../words/search.js";
import { valueWords } from "./constraint-words.js";
import { constraintsOf, dropKey, replaceValue } from "./constraints.js";
import type { Counted } from "./facets.js";
import { useCount, useWhy, type Why } from "./requests.js";
import { searchedText } from "./value-text.js";

function without(keys: readonly string[]): [string, string][] {
  const query = new URLSearchParams(search.value.pairs.map(([name, value]) => [name, value]));
  for (const key of keys) dropKey(query, key);
  return [...query] as [string, string][];
}

/** The page's name for a parameter. */
const labelOf = (name: string): string => words.named[name as keyof typeof words.named] ?? name;

/** A value as the list of chosen ones shows it. */
const shown = (name: string, value: string): string =>
  constraintsOf([[name, value]])
    .map(valueWords)
    .join("");

/** Shown if no single constraint is the reason. */
function Together({ flavour, keys }: { readonly flavour: string; readonly keys: string[] }) {
  const count = useCount(flavour, without(keys));
  const drop = (): void =>
    change((query) => {
      for (const key of keys) dropKey(query, key);
    });
  return (
    <>
      <p>{words.together}</p>
      <ul class="bare ways-out">
        <li class="row">
          <button type="button" onClick={drop}>
            {words.dropTogether(keys.map(labelOf).join(", "))}
          </button>
          {count !== undefined && <span>{words.gives(count)}</span>}
        </li>
      </ul>
    </>
  );
}

interface Props {
  readonly flavour: string;
  /** Values that no entry has. */
  readonly unknown: NonNullable<Counted["unknown_values"]>;
}

function WaysOut({ why, flavour, unknown }: Props & { readonly why: Why }) {
  const helpful = why.constraints
    .filter(({ count_without }) => count_without > 0)
    .sort((a, b) => b.count_without - a.count_without);
  if (why.constraints.length === 0) return <p>{words.nothingAtAll}</p>;
  if (helpful.length === 0) {
    const keys = new Set([...(why.excluding ?? []), ...unknown.map(({ name }) => name)]);
    return <Together flavour={flavour} keys={[...keys]} />;
  }
  return (
    <>
      <p>{words.whichToDrop}</p>
      <ul class="bare ways-out">
        {helpful.map(({ name, values, count_without }) => (
          <li key={name} class="row">
            <button type="button" onClick={() => change((query) => dropKey(query, name))}>
              {words.drop(labelOf(name), values.map((value) => shown(name, value)).join(", "))}
            </button>
            <span>{words.gives(count_without)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

export function NoHits({ flavour, unknown }: Props) {
  const { value: why, failure, retry } = useWhy(flavour);
  const replace = (name: string, value: string, near: string): void =>
    change((query) => replaceValue(query, { name, value, near }));
  return (
    <section class="panel no-hits" aria-labelledby="no-hits-title">
      <Drawing of="nothing" />
      <h2 id="no-hits-title">{words.nothing}</h2>
      {failure && <Failure failure={failure} retry={retry} />}
      {!failure && why === undefined && <Busy of={words.asking} />}
      {why?.total_count === 0 && (
        <>
          {why.constraints.flatMap(({ name, unmatched }) =>
            unmatched
              .filter(({ near }) => near.length > 0)
              .map(({ value, near }) => (
                <Near
                  key={`${name}=${value}`}
                  text={words.unmatched(name, value)}
                  value={value}
                  near={near}
                  replace={(one) => replace(name, value, one)}
                />
              )),
          )}
          <WaysOut why={why} flavour={flavour} unknown={unknown} />
        </>
      )}
    </section>
  );
}

/** Values that no entry has, in a search that still finds files. */
export function UnknownValues({ unknown = [] }: { readonly unknown: Counted["unknown_values"] }) {
  if (unknown.length === 0) return null;
  return (
    <section class="panel" aria-label={words.unknownValues}>
      {unknown.map(({ name, value, near }) => (
        <Near
          key={`${name}=${value}`}
          text={words.unknown(name, value)}
          value={value}
          near={near.map((one) => ({ value: one }))}
          replace={(one) => change((query) => replaceValue(query, { name, value, near: one }))}
        />
      ))}
    </section>
  );
}

interface NearProps {
  /** The problem. */
  readonly text: string;
  readonly value: string;
  readonly near: readonly { readonly value: string; readonly count?: number }[];
  /** Receives the value as a search term. */
  readonly replace: (value: string) => void;
}

/** Suggested values, each as a button. */
function Near({ text, value, near, replace }: NearProps) {
  return (
    <p class="row">
      <span>{text}</span>
      {near.length > 0 && <span>{words.near}</span>}
      {near.map((one) => (
        <button key={one.value} type="button" onClick={() => replace(searchedText(one.value))}>
          {one.value}
          {one.count !== undefined && <span class="quiet">{words.gives(one.count)}</span>}
          <span class="visually-hidden">{words.insteadOf(value)}</span>
        </button>
      ))}
    </p>
  );
}
