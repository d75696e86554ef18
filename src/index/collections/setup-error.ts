import { UserError } from "../../platform/errors.js";

/** The service cannot start for an outside reason. The message is one sentence for the person who started it. */
export class SetupError extends UserError {
  override readonly name: string = "SetupError";
}
