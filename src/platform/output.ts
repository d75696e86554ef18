/** Errors of standard output and standard error: the reader may exit (`| head -1`), or the disk may be full. */

/** The reader of standard output has closed it. */
export class OutputClosed extends Error {
  override readonly name = "OutputClosed";
}

const STREAMS = () =>
  [
    [process.stdout, "Standard output"],
    [process.stderr, "Standard error"],
  ] as const;

const isClosed = ({ code }: NodeJS.ErrnoException): boolean => code === "EPIPE" || code === "EIO";

/** For commands: ignores a closed reader. Other errors are reported in one sentence, with exit status 1. */
export function guardOutput(): void {
  for (const [stream, name] of STREAMS()) {
    stream.on("error", (error) => {
      // Another listener handles it.
      if (isClosed(error) || stream.listenerCount("error") > 1 || process.exitCode === 1) return;
      process.exitCode = 1;
      process.stderr.write(`${name} cannot be written (${codeOf(error)}).\n`);
    });
  }
}

/** For the service: keeps it running after output errors. Reports a failed standard output once, on standard error. */
export function surviveOutputErrors(): void {
  const [out, error] = [process.stdout, process.stderr];
  out.once("error", (cause) => {
    error.write(`Standard output cannot be written (${codeOf(cause)}); the service continues.\n`);
  });
  for (const [stream] of STREAMS()) stream.on("error", () => {});
}

const codeOf = (error: NodeJS.ErrnoException): string => error.code ?? error.message;
