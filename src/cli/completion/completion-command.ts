/** Declares the commands `completion` and `complete-line`. */
import { Argument, type Command } from "commander";
import type { Shell } from "./scripts.js";

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
