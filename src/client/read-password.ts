/** Asks for a password on the terminal, without showing it. */
import { openSync } from "node:fs";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { ReadStream } from "node:tty";
import { AuthenticationError } from "./authentication-error.js";

/** The terminal itself, also where standard input is a pipe. */
function terminal(): ReadStream | undefined {
  if (process.stdin.isTTY) return process.stdin as ReadStream;
  try {
    return new ReadStream(openSync("/dev/tty", "r"));
  } catch {
    return undefined;
  }
}

/**
 * Asks on the terminal; the question goes to standard error, what is typed nowhere.
 *
 * @throws AuthenticationError when there is no terminal, or the person gives up
 */
export async function readPassword(question: string): Promise<string> {
  const input = terminal();
  if (input === undefined) {
    throw new AuthenticationError(
      "A password is needed, but there is no terminal to ask on; use a refresh token.",
    );
  }
  const silent = new Writable({ write: (_piece, _encoding, done) => done() });
  const lines = createInterface({ input, output: silent, terminal: true, historySize: 0 });
  process.stderr.write(question);
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once("line", resolve);
      lines.once("SIGINT", () => lines.close());
      lines.once("close", () => reject(new AuthenticationError("No password was given.")));
    });
  } finally {
    lines.close();
    process.stderr.write("\n");
    if (input !== process.stdin) input.destroy();
    else input.pause();
  }
}
