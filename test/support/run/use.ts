/** Things that the tests of a file, or of a `describe`, share: started before these tests, and ended after them. */
import { afterAll, beforeAll } from "vitest";

/** @returns an object that gets the properties and methods of the started one, for hooks and tests; methods of `#members` do not work */
export function use<T extends object>(
  start: () => Promise<T>,
  end: (started: T) => unknown = () => {},
): T {
  const shared = {} as T;
  let started: T | undefined;
  beforeAll(async () => {
    started = await start();
    Object.assign(Object.setPrototypeOf(shared, Object.getPrototypeOf(started)), started);
  });
  afterAll(async () => {
    if (started !== undefined) await end(started);
  });
  return shared;
}
