import { open, stat } from "node:fs/promises";
import { join } from "node:path";

/** One paragraph: what happened, the last errors in the logs, where the logs are. */
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
      // The beginning of what went wrong is in the first part; a rolled file starts anew.
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

/** Bytes in a file, 0 when it is not there. */
export async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
