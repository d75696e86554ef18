import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { progress } from "../../src/cli/terminal/progress.js";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function screen(isTTY: boolean) {
  const written: string[] = [];
  const out = { isTTY, write: (text: string) => written.push(text) };
  return { out: out as unknown as NodeJS.WriteStream, written };
}

/** What a terminal shows of it: a cleared line is gone. */
const shown = (written: readonly string[]): string[] =>
  written
    .join("")
    .split("\n")
    .map((line) => line.split("\r\x1b[2K").at(-1) ?? "");

describe("progress", () => {
  it("is one bar on a terminal that is redrawn, and lines about documents stay whole", () => {
    const { out, written } = screen(true);
    const bar = progress("Indexing", 200, out);
    bar.update(50, "5 documents");
    expect(shown(written)).toEqual([
      `Indexing [${"#".repeat(7)}${" ".repeat(21)}]  25%  5 documents`,
    ]);
    bar.note("a.jsonl:3: refused: not JSON");
    expect(shown(written)).toEqual(["a.jsonl:3: refused: not JSON", ""]);
    vi.advanceTimersByTime(1000);
    bar.update(200, "9 documents");
    bar.end("9 documents in 1 s");
    expect(shown(written)).toEqual([
      "a.jsonl:3: refused: not JSON",
      "Indexing: 9 documents in 1 s",
      "",
    ]);
  });

  it("is a plain line every few seconds elsewhere, without control characters", () => {
    const { out, written } = screen(false);
    const bar = progress("Indexing", undefined, out);
    for (let seconds = 0; seconds < 12; seconds++) {
      bar.update(0, `${seconds} documents`);
      vi.advanceTimersByTime(1000);
    }
    bar.note("-:3: refused: not JSON");
    bar.end("12 documents");
    expect(written.join("")).toBe(
      "Indexing: 5 documents\nIndexing: 10 documents\n-:3: refused: not JSON\nIndexing: 12 documents\n",
    );
  });
});
