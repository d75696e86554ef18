import { FairSemaphore } from "../../platform/concurrency/fair-semaphore.js";
import { SignInBusy } from "../errors.js";

/** The client of a sign-in: its network address, and the user name that it tries. */
export type SignInClient = readonly [address: string, name: string];

/**
 * Admits steps of sign-ins that are limited in number. Addresses take turns, and the names of each address. In a full queue
 * the address with the most waiting names loses its last request, so a crowd of guesses does not lock out other people.
 */
export const signInSemaphore = (permits: number, maxWaiting: number | (() => number)) =>
  new FairSemaphore({ permits, maxWaiting, evictsLargest: true, refused: () => new SignInBusy() });
