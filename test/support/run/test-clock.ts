/** A clock that a test sets forward: tokens and shared addresses expire by it. */
export class TestClock {
  /** Milliseconds by which it is ahead of the machine's. */
  ahead = 0;

  /** Milliseconds since 1970. */
  readonly now = (): number => Date.now() + this.ahead;
}
