import { open, stat } from "node:fs/promises";
import { join } from "node:path";

/** The message of a failed start: what happened, the last errors in the logs, and their folder. */
export async function describeFailure(
  what: string,
  folder: string,
  logStart: number,
): Promise<string> {
  const logs = join(folder, "logs");
  const lines = [
    ...(await linesFrom(join(logs, "solr.log"), logStart)).filter((line) => / ERROR /.test(line)),
    ...(await linesFrom(join(logs, "java.log"), 0)).filter(
      (line) => !/^\s+at |^WARNING|^\w{3} \d+, \d{4} /.test(line),
    ),
  ];
  const shown = lines.slice(-5).map((line) => `\n  ${line.slice(0, 400)}`);
  return `Solr did not start. ${what} Its logs are in ${logs}${shown.length > 0 ? `:${shown.join("")}` : "."}`;
}

async function linesFrom(path: string, offset: number): Promise<string[]> {
  try {
    const file = await open(path, "r");
    try {
      // The first errors explain the failure. A file that is shorter than before was rotated.
      const { size } = await file.stat();
      const buffer = Buffer.alloc(Math.min(200_000, size));
      const { bytesRead } = await file.read(buffer, 0, buffer.length, size < offset ? 0 : offset);
      return buffer
        .toString("utf8", 0, bytesRead)
        .split("\n")
        .filter((line) => line.trim() !== "");
    } finally {
      await file.close();
    }
  } catch {
    return [];
  }
}

/** Size of a file in bytes; 0 if it is missing. */
export async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
