/** The code that gives what a view shows. */
import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import type { Told } from "../service/sent.js";
import { words } from "../words/code-lines.js";
import { CopyButton } from "./copy-button.js";
import { LANGUAGE_NAMES, type Language, scriptOf } from "./script.js";
import { Code } from "./scrolling.js";

/** Shared by all views: the choice of R stays. */
const chosenLanguage = signal<Language>("curl");

/** All requests of a view, one after the other. */
const ALL = "";

/**
 * @param requests the view's requests, most important first, made by sentOf. If several have titles, the user chooses
 * one; otherwise they are one script.
 */
export function CodeLines({ requests }: { readonly requests: readonly Told[] }) {
  const language = chosenLanguage.value;
  const titles = requests.flatMap(({ title }) => (title === undefined ? [] : [title]));
  const [title, choose] = useState(titles[0]);
  const one = titles.length > 1 ? requests.find((sent) => sent.title === title) : undefined;
  const shown = one === undefined ? requests : [one];
  const text = scriptOf(language, shown);
  return (
    <details class="code-lines">
      <summary>{words.title}</summary>
      <div class="row">
        {titles.length > 1 && (
          <label class="row">
            {words.what}
            <select
              value={one === undefined ? ALL : title}
              onChange={(event) => choose(event.currentTarget.value)}
            >
              {titles.map((title) => (
                <option key={title} value={title}>
                  {title}
                </option>
              ))}
              <option value={ALL}>{words.all}</option>
            </select>
          </label>
        )}
        <div class="code-languages" role="group" aria-label={words.language}>
          {LANGUAGE_NAMES.map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={name === language}
              onClick={() => {
                chosenLanguage.value = name;
              }}
            >
              {name}
            </button>
          ))}
        </div>
        <CopyButton text={text} name={words.copy} />
      </div>
      <Code text={text} />
      {shown.some(({ signed }) => signed) && <p class="quiet">{words.token}</p>}
      {language === "R" && <p class="quiet">{words.httr2}</p>}
    </details>
  );
}
