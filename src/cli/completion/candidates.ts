/** The words of an unfinished command line -> what the last of them may become. */
import type { Command, Option } from "commander";

/** A way to complete a word. */
export interface Candidate {
  /** The whole word. */
  readonly text: string;
  /** Whether something must follow it in the same word. */
  readonly isOpen: boolean;
}

/** What is known of words and of values of options of a command. */
export interface WordSource {
  /** @param words before the last one, without options */
  words(words: readonly string[], options: Given, word: string): Promise<readonly Candidate[]>;
  /** Undefined where the shell completes files. */
  values(
    option: string,
    words: readonly string[],
    options: Given,
    value: string,
  ): Promise<readonly Candidate[]>;
}

/** Options on the line by their long names, each with its values. */
export type Given = ReadonlyMap<string, readonly string[]>;

export const whole = (text: string): Candidate => ({ text, isOpen: false });

/**
 * @param words of the line, the program first; the last one is to be completed
 * @param sourceOf what is known of the words of a command, by its name
 */
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
  // Values are the same in any case, and shells put the one that is meant in the place of what was typed.
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
  /** The option whose value the last word is. */
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
