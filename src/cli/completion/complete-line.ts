/** The command that shells run while somebody types: it says what the line may become, or nothing. */
import type { Command } from "commander";
import { printLine } from "../terminal/print-line.js";
import { type Candidate, candidates } from "./candidates.js";
import type { Shell } from "./scripts.js";
import { searchWords } from "./search-words.js";
import { quoted, readShellLine } from "./shell-line.js";

/**
 * @param said of bash the line and what its words are broken at; of the others the words, which they quote themselves
 */
export async function completeLine(
  program: Command,
  shell: Shell,
  said: readonly string[],
): Promise<void> {
  const [line = "", breaks = ""] = said;
  const read = shell === "bash" ? readShellLine(line, breaks) : undefined;
  try {
    const found = await candidates(program, read?.words ?? said, (command) =>
      command === "search" ? searchWords() : undefined,
    );
    for (const candidate of found) {
      const text = read === undefined ? candidate.text : insertion(candidate, read);
      // Within a quote a blank would belong to the word; bash closes the quote itself.
      const goesOn = candidate.isOpen || (read !== undefined && read.quote !== "");
      if (text !== undefined) await printLine(`${goesOn ? "~" : "+"}${text}`);
    }
  } catch {
    // Whoever types has not asked for an error.
  }
}

/** What bash puts in the place of that part of the word which it completes. */
const insertion = (
  { text }: Candidate,
  { kept, quote }: ReturnType<typeof readShellLine>,
): string | undefined => quoted(text.slice(kept), quote);
