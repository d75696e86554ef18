import { Unreadable } from "../../../src/domain/extent/period.js";

/** The result of reading a text, or the error that says why it cannot be read. */
export function reading<T>(read: () => T): T | Unreadable {
  try {
    return read();
  } catch (error) {
    if (error instanceof Unreadable) return error;
    throw error;
  }
}
