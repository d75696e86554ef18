/** The hidden command `complete-line`, which shells run when a user presses Tab. It prints candidates, or nothing. */
import type { Command } from "commander";
import { printLine } from "../terminal/print-line.js";
import { type Candidate, candidates } from "./candidates.js";
import type { Shell } from "./scripts.js";
import { searchWords } from "./search-words.js";
import { quoted, readShellLine } from "./shell-line.js";

/** @param given for bash the line and its word breaks (COMP_WORDBREAKS); for other shells the words, without quotes */
export async function completeLine(
  program: Command,
  shell: Shell,
  given: readonly string[],
): Promise<void> {
  const [line = "", breaks = ""] = given;
  const read = shell === "bash" ? readShellLine(line, breaks) : undefined;
  try {
    const found = await candidates(program, read?.words ?? given, (command) =>
      command === "search" || command === "download" ? searchWords() : undefined,
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
const insertion = (
  { text }: Candidate,
  { kept, quote }: ReturnType<typeof readShellLine>,
): string | undefined => quoted(text.slice(kept), quote);
