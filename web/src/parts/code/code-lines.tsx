/** The code that gives what a view shows. */
import type { CodeRequest } from "../../service/code-request.js";
import { words } from "../../words/parts.js";
import { Fold } from "../fold.js";

/** Loaded on opening: the writers of five languages are a tenth of the first view. */
const load = async () => (await import("./code-script.js")).CodeScript;

/**
 * @param requests the view's requests, most important first, made by codeRequest. If several have titles, the user chooses
 * one; otherwise they are one script.
 */
export function CodeLines({ requests }: { readonly requests: readonly CodeRequest[] }) {
  return <Fold title={words.code.title} load={load} props={{ requests }} class="code-lines" />;
}
