/** Combines several requests into one script. */
import { LANGUAGES, type Sent } from "../../docs/snippets.js";

export type Language = keyof typeof LANGUAGES;
export const LANGUAGE_NAMES = Object.keys(LANGUAGES) as Language[];

/** Lines that go once to the top. */
const HEAD = /^(?:import |library\()/;

export function scriptOf(language: Language, requests: readonly Sent[]): string {
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
