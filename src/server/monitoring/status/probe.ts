/** Probes of the service's status, and their findings. */

/** From best to worst. An unknown state is no failure. */
const STATES = ["ok", "unknown", "warning", "failed"] as const;
type State = (typeof STATES)[number];

export interface Finding {
  readonly state: State;
  /** One public sentence, without paths, addresses, names and versions. */
  readonly says: string;
  /** For the operator: where, and what exactly. */
  readonly detail?: string | undefined;
  /** The remedy, for the operator. */
  readonly advice?: string | undefined;
}

export interface Probe {
  readonly name: string;
  /** Whether the finding is public; others are for the operator only. */
  readonly isPublic: boolean;
  /** Milliseconds for which a finding is cached. */
  readonly ttl: number;
  /** Milliseconds that an inspection may take. */
  readonly timeout: number;
  /** The finding if the inspection takes longer. */
  readonly late: Finding;
  /** The next inspection begins only after this one has ended, even if it hangs. After an error the state is unknown. */
  inspect(signal: AbortSignal): Promise<Finding>;
}

export const worst = (states: Iterable<State>): State =>
  [...states].reduce<State>((a, b) => (STATES.indexOf(b) > STATES.indexOf(a) ? b : a), "ok");

/** Merges findings: state and sentence of the worst, details of all. */
export function together(findings: readonly [Finding, ...Finding[]]): Finding {
  const state = worst(findings.map((one) => one.state));
  const first = findings.find((one) => one.state === state) ?? findings[0];
  const details = findings.flatMap(({ detail }) => detail ?? []);
  return { ...first, ...(details.length > 0 && { detail: details.join("; ") }) };
}

/** The most informative message of an error's chain of causes. */
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
/** Maximal length of a chain of causes. */
const MAX_CAUSES = 4;
