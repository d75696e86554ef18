/** Finds the completions of the last word of an unfinished command line. */
import type { Command, Option } from "commander";

export interface Candidate {
  /** The whole completed word. */
  readonly text: string;
  /** Whether the word must go on, as after `facet=`. */
  readonly isOpen: boolean;
}

/** Supplies the candidates for words and for option values of a command. */
export interface WordSource {
  /** @param words those before the last one, without options */
  words(words: readonly string[], options: Given, word: string): Promise<readonly Candidate[]>;
  /** Returns undefined if the shell should complete files */
  values(
    option: string,
    words: readonly string[],
    options: Given,
    value: string,
  ): Promise<readonly Candidate[]>;
}

/** The options on the line by long name, with their values. */
export type Given = ReadonlyMap<string, readonly string[]>;

export const whole = (text: string): Candidate => ({ text, isOpen: false });

/** @param words all words of the line, beginning with the program; the last one is completed */
export async function candidates(
  program: Command,
  words: readonly string[],
  sourceOf: (command: string) => WordSource | undefined,
): Promise<readonly Candidate[]> {
  const last = words.at(-1) ?? "";
  let rest = words.slice(1, -1);
  let command = program;
  for (;;) {
    const [name] = rest;
    const sub = visible(command).find((one) => one.name() === name);
    if (sub === undefined) break;
    command = sub;
    rest = rest.slice(1);
  }
  const { given, operands, open } = readOptions(command, rest);
  const source = sourceOf(command.name());
  const found = await (async () => {
    if (open !== undefined) {
      const choices = open.argChoices?.map(whole);
      return choices ?? (await source?.values(open.attributeName(), operands, given, last)) ?? [];
    }
    if (last.startsWith("-")) return optionsOf(command);
    if (visible(command).length > 0) return visible(command).map((one) => whole(one.name()));
    return (await source?.words(operands, given, last)) ?? [];
  })();
  // Values ignore case, and the shell replaces the typed word by the candidate.
  return found.filter(({ text }) => text.toLowerCase().startsWith(last.toLowerCase()));
}

const visible = (command: Command): readonly Command[] =>
  command.createHelp().visibleCommands(command) as Command[];

const optionsOf = (command: Command): Candidate[] =>
  command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long }) => (long ? [whole(long)] : []));

interface Read {
  readonly given: Given;
  readonly operands: readonly string[];
  /** The option that expects the last word as its value. */
  readonly open: Option | undefined;
}

function readOptions(command: Command, words: readonly string[]): Read {
  const given = new Map<string, string[]>();
  const operands: string[] = [];
  let open: Option | undefined;
  for (const word of words) {
    const [, name = word, value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
    if (open !== undefined) {
      const key = open.attributeName();
      given.set(key, [...(given.get(key) ?? []), word]);
      open = undefined;
    } else if (word.startsWith("-") && word !== "-") {
      const option = command.options.find(({ long, short }) => long === name || short === name);
      if (option === undefined) continue;
      const key = option.attributeName();
      if (value !== undefined) given.set(key, [...(given.get(key) ?? []), value]);
      else if (option.required || option.optional) open = option;
      else given.set(key, []);
    } else operands.push(word);
  }
  return { given, operands, open };
}
