/**
 * Which test file needs what, and what of it is ready: a folder that the run's process writes and its workers read. So tests begin
 * while something that others need is still being installed.
 */
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Workers inherit it. */
const VARIABLE = "TEST_NEEDS";
const PLAN = "plan";

/** What became of a need: a value for the tests, or a sentence that says why there is none. */
export interface Outcome {
  readonly error?: string | undefined;
  readonly value?: unknown;
}

/** Path of a test file -> names of its needs. */
export type Plan = Readonly<Record<string, readonly string[]>>;

const pathOf = (name: string): string | undefined => {
  const folder = process.env[VARIABLE];
  return folder === undefined ? undefined : join(folder, `${encodeURIComponent(name)}.json`);
};

function read<T>(name: string): T | undefined {
  const path = pathOf(name);
  if (path === undefined || !existsSync(path)) return undefined;
  return JSON.parse(readFileSync(path, "utf8")) as T;
}

/** Written whole or not at all, as workers read it at any moment. */
function write(name: string, content: object): void {
  const path = pathOf(name) ?? "";
  writeFileSync(`${path}.draft`, JSON.stringify(content));
  renameSync(`${path}.draft`, path);
}

/** Whether this process has begun: each project of vitest asks again. */
export const isBegun = (): boolean =>
  process.env[VARIABLE]?.includes(`climate-needs-${process.pid}-`) === true;

/** @returns what removes the folder */
export function begin(plan: Plan): () => void {
  const folder = mkdtempSync(join(tmpdir(), `climate-needs-${process.pid}-`));
  process.env[VARIABLE] = folder;
  write(PLAN, plan);
  return () => rmSync(folder, { recursive: true, force: true });
}

export const report = (need: string, outcome: Outcome): void => write(need, outcome);

/** @throws if a need of this test file cannot be had */
export async function waitForNeeds(file: string): Promise<void> {
  for (const need of read<Plan>(PLAN)?.[file] ?? []) {
    let outcome = read<Outcome>(need);
    while (outcome === undefined) {
      await sleep(50);
      outcome = read<Outcome>(need);
    }
    if (outcome.error !== undefined) throw new Error(outcome.error);
  }
}

/** The value of a need that is ready; undefined if there is none. */
export const valueOfNeed = <T>(need: string): T | undefined => read<Outcome>(need)?.value as T;
