/** The commands that make shells complete lines of this program. */
import { Argument, type Command } from "commander";
import type { Shell } from "./scripts.js";

const SHELLS: readonly Shell[] = ["bash", "zsh", "fish"];

const HELP = `
Flavours, names of facets and values come from the service that --host on the line names; values are those of files which the
rest of the line finds. It is asked for a second at the most, and says nothing where it cannot be reached.

  bash   source <(climate-nextgen completion bash)        in ~/.bashrc
  zsh    source <(climate-nextgen completion zsh)         in ~/.zshrc, behind compinit
  fish   climate-nextgen completion fish | source         in ~/.config/fish/config.fish`;

/** Adds them to a program. */
export function addCompletionCommands(program: Command): void {
  const shell = () => new Argument("<shell>").choices(SHELLS);
  program
    .command("completion")
    .description("print what makes a shell complete commands, facets and values")
    .addArgument(shell())
    .addHelpText("after", HELP)
    .action(async (name: Shell) => {
      const { SCRIPTS } = await import("./scripts.js");
      const { print } = await import("../terminal/print-line.js");
      await print(SCRIPTS[name]);
    });
  program
    .command("complete-line", { hidden: true })
    .addArgument(shell())
    .argument("[words...]")
    .allowUnknownOption()
    .action(async (name: Shell, words: string[]) => {
      const { completeLine } = await import("./complete-line.js");
      await completeLine(program, name, words);
    });
}
