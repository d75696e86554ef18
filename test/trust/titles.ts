/** How the table of checks and the results of a run name tests. */
import type { Check } from "./checks.js";

/** What came of a test, as vitest's JSON reporter tells it. */
export interface Outcome {
  /** Below the package. */
  readonly file: string;
  readonly ancestorTitles: readonly string[];
  readonly title: string;
  readonly status: string;
  /** Milliseconds. */
  readonly duration?: number;
  readonly meta: { readonly tried?: number; readonly held?: number };
}

/** A title as it stands in the source, with places for the values of a case -> what it becomes. */
export function titlePattern(title: string): string {
  const parts = title.split(/%[sdijfo]|\$[\w.]+|\$\{[^}]*\}/);
  return parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join(".*");
}

/** Whether a test, or a group that it is in, is one of those that try a check. */
export function isOf({ tests }: Check, { file, ancestorTitles, title }: Outcome): boolean {
  const patterns = (tests[file] ?? []).map((one) => new RegExp(`^${titlePattern(one)}$`, "s"));
  return [...ancestorTitles, title].some((one) => patterns.some((pattern) => pattern.test(one)));
}
