/** Several requests -> one script of a language. */
import { LANGUAGES, type Sent } from "../../docs/snippets.js";

export type Language = keyof typeof LANGUAGES;
export const LANGUAGE_NAMES = Object.keys(LANGUAGES) as Language[];

/** What stands once, at the beginning. */
const HEAD = /^(?:import |library\()/;

/** The lines that send requests one after the other. */
export function scriptOf(language: Language, requests: readonly Sent[]): string {
  const texts = requests.map((sent) => LANGUAGES[language](sent));
  // In the shell a value may have lines of its own.
  if (texts.length < 2 || language === "curl") return texts.join("\n\n");
  const lines = texts.map((text) => text.split("\n"));
  const head = new Set(lines.flat().filter((line) => HEAD.test(line)));
  const bodies = lines.map((all) =>
    all
      .filter((line) => !HEAD.test(line))
      .join("\n")
      .trim(),
  );
  // In TypeScript each has its own constants.
  const parts =
    language === "TypeScript"
      ? bodies.map((body) => `{\n${body.replaceAll(/^(?=.)/gm, "  ")}\n}`)
      : bodies;
  return [...(head.size > 0 ? [[...head].join("\n")] : []), ...parts].join("\n\n");
}
