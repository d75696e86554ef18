import { UserError } from "../../platform/errors.js";
import { OutputClosed } from "../../platform/output.js";

/** Standard output takes no more. */
export class UnwritableOutput extends UserError {
  override readonly name = "UnwritableOutput";
}

let isHeard = false;

/** Writes a line of progress or a note to standard error, which no reader of the output sees. */
export function report(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Prints a line as fast as whoever reads it does. @throws OutputClosed when that one has left; UnwritableOutput */
export const printLine = (line: string): Promise<void> => print(`${line}\n`);

/** Prints a piece of a text or of a file, in the same way. @throws OutputClosed, UnwritableOutput */
export function print(piece: string | Uint8Array): Promise<void> {
  const out = process.stdout;
  // Each write hears of its own failure; nobody listening here would end the process.
  if (!isHeard) out.on("error", () => {});
  isHeard = true;
  return new Promise((resolve, reject) => {
    out.write(piece, (error) => {
      const { code, message } = (error ?? {}) as NodeJS.ErrnoException;
      if (code === "EPIPE") reject(new OutputClosed());
      else if (error) reject(new UnwritableOutput(`Nobody takes the output (${code ?? message}).`));
      else resolve();
    });
  });
}
