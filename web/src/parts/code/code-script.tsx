/** Requests as a script in the chosen language. */
import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { LANGUAGES, type Sent } from "../../../docs/snippets.js";
import type { CodeRequest } from "../../service/code-request.js";
import { words } from "../../words/parts.js";
import { Code } from "../scrolling.js";
import { Select } from "../select.js";
import { CopyButton } from "./copy-button.js";

/** Shared by all views: the choice of R stays. */
const chosenLanguage = signal<Language>("curl");

/** All requests of a view, one after the other. */
const ALL = "";

/** @param requests as of CodeLines */
export function CodeScript({ requests }: { readonly requests: readonly CodeRequest[] }) {
  const language = chosenLanguage.value;
  const titles = requests.flatMap(({ title }) => (title === undefined ? [] : [title]));
  const [title, choose] = useState(titles[0]);
  const one = titles.length > 1 ? requests.find((sent) => sent.title === title) : undefined;
  const shown = one === undefined ? requests : [one];
  const text = scriptOf(language, shown);
  return (
    <>
      <div class="row">
        {titles.length > 1 && (
          <Select
            class="row"
            label={words.code.what}
            value={one === undefined ? ALL : title}
            options={[...titles, [ALL, words.code.all]]}
            choose={choose}
          />
        )}
        <div class="code-languages" role="group" aria-label={words.code.language}>
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
        <CopyButton text={text} name={words.code.copy} />
      </div>
      <Code text={text} />
      {shown.some(({ signed }) => signed) && <p class="quiet">{words.code.token}</p>}
      {language === "R" && <p class="quiet">{words.code.httr2}</p>}
    </>
  );
}

type Language = keyof typeof LANGUAGES;
const LANGUAGE_NAMES = Object.keys(LANGUAGES) as Language[];

/** Lines that go once to the top. */
const HEAD = /^(?:import |library\()/;

function scriptOf(language: Language, requests: readonly Sent[]): string {
  const texts = requests.map((sent) => LANGUAGES[language](sent));
  // In the shell, a value may contain newlines.
  if (texts.length < 2 || language === "curl") return texts.join("\n\n");
  const lines = texts.map((text) => text.split("\n"));
  const head = new Set(lines.flat().filter((line) => HEAD.test(line)));
  const bodies = lines.map((all) =>
    all
      .filter((line) => !HEAD.test(line))
      .join("\n")
      .trim(),
  );
  // In TypeScript, each request needs a block for its constants.
  const parts =
    language === "TypeScript"
      ? bodies.map((body) => `{\n${body.replaceAll(/^(?=.)/gm, "  ")}\n}`)
      : bodies;
  return [...(head.size > 0 ? [[...head].join("\n")] : []), ...parts].join("\n\n");
}
