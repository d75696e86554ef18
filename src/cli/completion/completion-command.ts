/** The commands `completion`, and `complete-line`, which shells run when a user presses Tab. */
import { Argument, type Command } from "commander";
import { print, printLine } from "../terminal/print-line.js";
import { type Candidate, candidates } from "./candidates.js";
import type { Shell } from "./scripts.js";
import { quoted, readShellLine, type ShellLine } from "./shell-line.js";

const SHELLS: readonly Shell[] = ["bash", "zsh", "fish"];

const HELP = `
Flavours, facets and values come from the service that --host on the line names. Only values are offered that occur in the
files found by the rest of the line. Without an answer from the service within a second, nothing is offered.

  bash   source <(climate-nextgen completion bash)        in ~/.bashrc
  zsh    source <(climate-nextgen completion zsh)         in ~/.zshrc, after compinit
  fish   climate-nextgen completion fish | source         in ~/.config/fish/config.fish`;

export function addCompletionCommands(program: Command): void {
  const shell = () => new Argument("<shell>").choices(SHELLS);
  program
    .command("completion")
    .description("print a shell script that completes commands, facets and values")
    .addArgument(shell())
    .addHelpText("after", HELP)
    .action(async (name: Shell) => {
      const { SCRIPTS } = await import("./scripts.js");
      await print(SCRIPTS[name]);
    });
  program
    .command("complete-line", { hidden: true })
    .addArgument(shell())
    .argument("[words...]")
    .allowUnknownOption()
    .action((name: Shell, words: string[]) => completeLine(program, name, words));
}

/**
 * Prints candidates, or nothing.
 *
 * @param given for bash the line and its word breaks (COMP_WORDBREAKS); for other shells the words, without quotes
 */
async function completeLine(
  program: Command,
  shell: Shell,
  given: readonly string[],
): Promise<void> {
  const [line = "", breaks = ""] = given;
  const read = shell === "bash" ? readShellLine(line, breaks) : undefined;
  const { searchWords } = await import("./search-words.js");
  try {
    const found = await candidates(program, read?.words ?? given, (command) =>
      command === "search" || command === "download" ? searchWords : undefined,
    );
    for (const candidate of found) {
      const text = read === undefined ? candidate.text : insertion(candidate, read);
      // Inside quotes a blank would become part of the word; bash closes the quote itself.
      const goesOn = candidate.isOpen || (read !== undefined && read.quote !== "");
      if (text !== undefined) await printLine(`${goesOn ? "~" : "+"}${text}`);
    }
  } catch {
    // An error message would disturb the line that is being typed.
  }
}

/** The text that replaces the part of the word that bash completes. */
const insertion = ({ text }: Candidate, { kept, quote }: ShellLine): string | undefined =>
  quoted(text.slice(kept), quote);
