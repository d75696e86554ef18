import { refusalOf, UserError } from "../../platform/errors.js";
import { OutputClosed } from "../../platform/output.js";

/** Standard output cannot be written. */
class UnwritableOutput extends UserError {
  override readonly name = "UnwritableOutput";
}

let isHeard = false;

/** Writes a line of progress or a note to standard error. */
export function report(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Prints a line, with backpressure. @throws OutputClosed if the reader has closed the pipe */
export const printLine = (line: string): Promise<void> => print(`${line}\n`);

/** Prints a piece of text or of a file, in the same way */
export function print(piece: string | Uint8Array): Promise<void> {
  const out = process.stdout;
  // Each write reports its own failure; an `error` event without a listener would end the process.
  if (!isHeard) out.on("error", () => {});
  isHeard = true;
  return new Promise((resolve, reject) => {
    out.write(piece, (error) => {
      const { code } = (error ?? {}) as NodeJS.ErrnoException;
      if (code === "EPIPE") reject(new OutputClosed());
      else if (error)
        reject(new UnwritableOutput(`Standard output cannot be written (${refusalOf(error)}).`));
      else resolve();
    });
  });
}
