import { UserError } from "../../platform/errors.js";

/** Something outside the program stops the start. The message is one sentence for the person who started it. */
export class SetupError extends UserError {
  override readonly name: string = "SetupError";
}
