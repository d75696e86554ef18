import { ToldError } from "../../platform/user-error.js";

/** A command line that means nothing. */
export class WrongUse extends ToldError {
  override readonly name = "WrongUse";
}
