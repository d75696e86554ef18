import { Unreadable } from "../../../src/domain/extent/period.js";

/** What a reader makes of a text, or why it cannot read it. */
export function reading<T>(read: () => T): T | Unreadable {
  try {
    return read();
  } catch (error) {
    if (error instanceof Unreadable) return error;
    throw error;
  }
}
