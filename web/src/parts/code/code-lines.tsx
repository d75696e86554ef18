/** The code that gives what a view shows. */
import type { CodeRequest } from "../../service/code-request.js";
import { words } from "../../words/parts.js";
import { Fold } from "../fold.js";
import { Code } from "../scrolling.js";
import { CopyButton } from "./copy-button.js";

/** Loaded on opening: the writers of five languages are a tenth of the first view. */
const load = async () => (await import("./code-script.js")).CodeScript;

/**
 * @param requests the view's requests, most important first, made by codeRequest. If several have titles, the user chooses
 * one; otherwise they are one script.
 */
export function CodeLines({ requests }: { readonly requests: readonly CodeRequest[] }) {
  return <Fold title={words.code.title} load={load} props={{ requests }} class="code-lines" />;
}

/** Code that is there already, below its title. */
export function CodeText(props: {
  readonly title: string;
  readonly hint?: string;
  readonly class?: string;
  readonly text: string;
}) {
  return (
    <details class={`code-lines ${props.class ?? ""}`.trim()}>
      <summary>{props.title}</summary>
      {props.hint && <p class="quiet">{props.hint}</p>}
      <CopyButton text={props.text} />
      <Code text={props.text} />
    </details>
  );
}
