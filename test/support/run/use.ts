/** Things that the tests of a file, or of a `describe`, share: started before these tests, and ended after them. */
import { afterAll, beforeAll } from "vitest";

/** @returns an object that gets the properties of the started one; for hooks and tests, not before them */
export function use<T extends object>(
  start: () => Promise<T>,
  end: (started: T) => unknown = () => {},
): T {
  const shared = {} as T;
  let started: T | undefined;
  beforeAll(async () => {
    started = await start();
    Object.assign(shared, started);
  });
  afterAll(async () => {
    if (started !== undefined) await end(started);
  });
  return shared;
}
