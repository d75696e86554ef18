import { ToldError } from "../../platform/user-error.js";

/** Something outside the program stops the start. The message is one sentence for the person who started it. */
export class SetupError extends ToldError {
  override readonly name: string = "SetupError";
}
