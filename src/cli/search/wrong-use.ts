import { UserError } from "../../platform/errors.js";

/** A command line that means nothing. */
export class WrongUse extends UserError {
  override readonly name = "WrongUse";
}
