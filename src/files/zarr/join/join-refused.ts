import { ReadingError } from "../../netcdf/errors.js";

/** The joined data would be wrong. The message names the files and what differs. */
export class JoinRefused extends ReadingError<"join-refused"> {
  constructor(message: string) {
    super("join-refused", message);
  }
}

/** The plan of a join is being made; the message says how far it is. */
export class JoinPreparing extends ReadingError<"join-preparing"> {
  constructor(message: string) {
    super("join-preparing", message);
  }
}

/** A file of a join is not the one that was planned with. */
export class JoinOutdated extends ReadingError<"join-outdated"> {
  constructor(message: string) {
    super("join-outdated", message);
  }
}
