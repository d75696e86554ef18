import { words } from "../words/search.js";
import { searchedText } from "./value-text.js";

interface Props {
  /** What is wrong. */
  readonly text: string;
  readonly value: string;
  readonly near: readonly { readonly value: string; readonly count?: number }[];
  /** Receives the value as a search term. */
  readonly replace: (value: string) => void;
}

/** Suggested values, each as a button. */
export function Near({ text, value, near, replace }: Props) {
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
