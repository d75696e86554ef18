/** Counts examined files, findings, and files about which something is unknown. */
import {
  FINDING_KINDS,
  type Finding,
  type FindingKind,
  UNKNOWN_KINDS,
  type UnknownKind,
} from "./kinds.js";

export class ProblemCounter {
  files = 0;
  datasets = 0;
  /** Files whose header was read. */
  opened = 0;
  readonly #found = new Map<FindingKind, number>();
  readonly #unknown = new Map<UnknownKind, number>();

  count({ kind }: Finding): void {
    this.#found.set(kind, (this.#found.get(kind) ?? 0) + 1);
  }

  addUnknown(kind: UnknownKind, count = 1): void {
    if (count > 0) this.#unknown.set(kind, (this.#unknown.get(kind) ?? 0) + count);
  }

  /** Findings by kind, in the order of kinds, without zeros. */
  get found(): ReadonlyMap<FindingKind, number> {
    return inOrder(FINDING_KINDS, this.#found);
  }

  /** Files by what is unknown about them, without zeros. */
  get unknown(): ReadonlyMap<UnknownKind, number> {
    return inOrder(UNKNOWN_KINDS, this.#unknown);
  }
}

function inOrder<K>(kinds: readonly K[], counts: ReadonlyMap<K, number>): Map<K, number> {
  return new Map([...counts].sort(([a], [b]) => kinds.indexOf(a) - kinds.indexOf(b)));
}
