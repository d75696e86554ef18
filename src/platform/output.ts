/** Standard output and standard error, whose readers may leave at any time (`| head -1`), and whose disk may be full. */

/** Whoever read standard output has left, and wants no more. */
export class OutputClosed extends Error {
  override readonly name = "OutputClosed";
}

const STREAMS = () =>
  [
    [process.stdout, "Standard output"],
    [process.stderr, "Standard error"],
  ] as const;

const isClosed = ({ code }: NodeJS.ErrnoException): boolean => code === "EPIPE" || code === "EIO";

/** For commands: a reader who has left ends nothing; what cannot be written is a failure, told in one sentence. */
export function guardOutput(): void {
  for (const [stream, name] of STREAMS()) {
    stream.on("error", (error) => {
      // Somebody else has an eye on it.
      if (isClosed(error) || stream.listenerCount("error") > 1 || process.exitCode === 1) return;
      process.exitCode = 1;
      process.stderr.write(`${name} cannot be written (${codeOf(error)}).\n`);
    });
  }
}

/** For the service: it lives on whatever becomes of what it says, and says so once on what is left. */
export function outliveOutput(): void {
  const [out, error] = [process.stdout, process.stderr];
  out.once("error", (cause) => {
    error.write(`Nobody takes standard output any more (${codeOf(cause)}); the service goes on.\n`);
  });
  for (const [stream] of STREAMS()) stream.on("error", () => {});
}

const codeOf = (error: NodeJS.ErrnoException): string => error.code ?? error.message;
