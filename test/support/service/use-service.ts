/** A service, and users who are signed in, for all tests of a file. */
import { afterAll, beforeAll } from "vitest";
import { type ServiceOptions, startService, type TestService } from "./service.js";
import { type Person, person } from "./user-data.js";

/** Starts a service before the tests of the file, and closes it after them. @returns usable in hooks and tests */
export function useService(options?: ServiceOptions): TestService {
  const service = {} as TestService;
  beforeAll(async () => {
    Object.assign(service, await startService(options));
  });
  afterAll(() => service.close?.());
  return service;
}

/** Signs a new user in before the tests of the file. @returns usable in hooks and tests */
export function usePerson(service: TestService, name?: string): Person {
  const user = {} as Person;
  beforeAll(async () => {
    Object.assign(user, await person(service, name));
  });
  return user;
}
