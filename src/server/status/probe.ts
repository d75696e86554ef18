/** What is looked at to tell how the service is, and what a look finds. */

/** From the best to the worst; of what is unknown nobody could say anything, which is no failure. */
export const STATES = ["ok", "unknown", "warning", "failed"] as const;
export type State = (typeof STATES)[number];

/** What one look has found. */
export interface Finding {
  readonly state: State;
  /** One sentence for everybody: without paths, addresses, names and versions. */
  readonly says: string;
  /** For who runs the service: where, and what exactly. */
  readonly detail?: string | undefined;
  /** What to do about it. */
  readonly advice?: string | undefined;
}

/** One thing that is looked at. */
export interface Probe {
  readonly name: string;
  /** Whether everybody may know; the others are for who runs the service. */
  readonly isPublic: boolean;
  /** Milliseconds for which a finding is good enough. */
  readonly ttl: number;
  /** Milliseconds that a look may take. */
  readonly timeout: number;
  /** What it means when a look takes longer. */
  readonly late: Finding;
  /**
   * Looks. One that hangs goes on alone: the next is not begun before it has ended.
   *
   * @throws what it likes: then nothing is known
   */
  inspect(signal: AbortSignal): Promise<Finding>;
}

/** The worst of some states. */
export const worst = (states: Iterable<State>): State =>
  [...states].reduce<State>((a, b) => (STATES.indexOf(b) > STATES.indexOf(a) ? b : a), "ok");

/** Several findings as one: the state and the sentence of the worst, the details of all. */
export function together(findings: readonly [Finding, ...Finding[]]): Finding {
  const state = worst(findings.map((one) => one.state));
  const first = findings.find((one) => one.state === state) ?? findings[0];
  const details = findings.flatMap(({ detail }) => detail ?? []);
  return { ...first, ...(details.length > 0 && { detail: details.join("; ") }) };
}

/** One member of an error's chain of causes tells more than the first. */
export function reasonOf(error: unknown): string {
  const reasons: string[] = [];
  let inner = error;
  while (inner instanceof Error && reasons.length < MAX_CAUSES) {
    const { code } = inner as NodeJS.ErrnoException;
    reasons.push(inner.message || String(code ?? inner.name));
    inner = inner.cause;
  }
  return reasons.length > 0 ? reasons.join(": ") : String(error);
}
/** How deep a cause may lie inside of others. */
const MAX_CAUSES = 4;
