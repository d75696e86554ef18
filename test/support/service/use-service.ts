/** A service, and users who are signed in, for all tests of a file. */
import { beforeAll } from "vitest";
import { use } from "../run/use.js";
import { loadSample } from "./sample.js";
import {
  emptyIndex,
  fillIndex,
  type ServiceOptions,
  startService,
  type TestDocument,
  type TestService,
} from "./service.js";
import { addUser } from "./sign-in.js";
import { type Person, person } from "./user-data.js";

export interface SharedServiceOptions extends ServiceOptions {
  /**
   * The documents that its index has at first, none of which may be refused; "sample" stands for those of the sample catalogue.
   * Left out, the index is as other files have left it.
   */
  readonly documents?: readonly TestDocument[] | "sample";
}

/** @param options or what gives them, if they need what hooks before it make */
export function useService(
  options: SharedServiceOptions | (() => SharedServiceOptions) = {},
): TestService {
  const start = async (): Promise<TestService> => {
    const { documents, ...others } = typeof options === "function" ? options() : options;
    const service = await startService(others);
    if (documents === "sample") {
      await emptyIndex(service.solr);
      await loadSample(service.solr);
    } else if (documents !== undefined) {
      const { refused } = await fillIndex(service.solr, documents);
      if (refused > 0) throw new Error(`${refused} documents were refused`);
    }
    return service;
  };
  return use(start, (service) => service.close());
}

/** Signs a new user in before the tests of the file. @returns usable in hooks and tests */
export const usePerson = (service: TestService, name?: string): Person =>
  use(() => person(service, name));

/** Adds a user before the tests of the file, who is not signed in. @returns the name, new each time */
export function useUser(service: TestService): string {
  const name = `user-${crypto.randomUUID()}`;
  beforeAll(() => addUser(service.dataDir, name));
  return name;
}
