/** Who asks for something to be read: callers take turns. */
export interface Asker {
  readonly key: string;
  /** Told how long a process took for it; never for what was read or decoded before. */
  spent(milliseconds: number): void;
}

/** The key alone where nobody wants to know the time. */
export type By = string | Asker;

export const keyOf = (by: By | undefined): string | undefined =>
  typeof by === "object" ? by.key : by;
