/** Asks for name and password on the terminal. */
import { openSync } from "node:fs";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { ReadStream } from "node:tty";
import { AuthenticationError } from "./authentication-error.js";

/** The terminal, even if standard input is a pipe. */
function terminal(): ReadStream | undefined {
  if (process.stdin.isTTY) return process.stdin as ReadStream;
  try {
    return new ReadStream(openSync("/dev/tty", "r"));
  } catch {
    return undefined;
  }
}

/**
 * Asks for a name, with echo.
 *
 * @param usual the result of an empty answer
 * @param instead what to do without a terminal, as an instruction
 * @throws AuthenticationError without a terminal, or if the person cancels
 */
export async function readName(question: string, usual: string, instead: string): Promise<string> {
  const given = await ask(["A name and a password are", instead], `${question} [${usual}]: `, true);
  return given.trim() || usual;
}

/**
 * Asks for a password, without echo. The prompt goes to standard error.
 *
 * @param instead what to do without a terminal, as an instruction
 * @throws AuthenticationError without a terminal, or if the person cancels
 */
export function readPassword(question: string, instead: string): Promise<string> {
  return ask(["A password is", instead], question, false);
}

async function ask(
  [what, instead]: readonly [string, string],
  question: string,
  isShown: boolean,
): Promise<string> {
  const input = terminal();
  if (input === undefined) {
    throw new AuthenticationError(
      `${what} needed, but there is no terminal to ask on; ${instead}.`,
    );
  }
  const silent = new Writable({ write: (_piece, _encoding, done) => done() });
  const output = isShown ? process.stderr : silent;
  const lines = createInterface({ input, output, terminal: true, historySize: 0 });
  if (!isShown) process.stderr.write(question);
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once("line", resolve);
      lines.once("SIGINT", () => lines.close());
      lines.once("close", () => reject(new AuthenticationError("No answer was given.")));
      if (isShown) {
        lines.setPrompt(question);
        lines.prompt();
      }
    });
  } finally {
    lines.close();
    if (!isShown) process.stderr.write("\n");
    if (input !== process.stdin) input.destroy();
    else input.pause();
  }
}
