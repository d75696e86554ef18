import { DomainError } from "../platform/errors.js";

/** There is no data set of this identifier, no such document in it, or a chunk that was never written. */
export class NoSuchData extends DomainError {
  readonly kind = "no-such-data";
}

/**
 * A key of a data set that is neither a document nor a chunk of one of its arrays. Never 404, which zarr
 * clients read as a chunk that was never written.
 */
export class UnknownKey extends DomainError {
  readonly kind = "unknown-key";
}

/** The data are another user's, or lie where nothing may be read. */
export class NotYours extends DomainError {
  readonly kind = "not-yours";
}

/** The data are in the index, but their file is gone. */
export class DataGone extends DomainError {
  readonly kind = "data-gone";
}

/** The data are of a format that is not read; the message says which. */
export class UnreadableFormat extends DomainError {
  readonly kind = "unreadable-format";
}

/** The file contradicts its own format. */
export class DamagedData extends DomainError {
  readonly kind = "damaged-data";
}

/** A piece of the data, or what must be read for it, is more than one reading may take; the message says what. */
export class DataTooLarge extends DomainError {
  readonly kind = "data-too-large";
}

/** A file of a join is not the one that was joined; the message names it. */
export class DataChanged extends DomainError {
  readonly kind = "data-changed";
}

/** Files whose join would be wrong; the message says what differs, and in which files. */
export class CannotJoin extends DomainError {
  readonly kind = "cannot-join";
}

/** The plan of a join is being made; the message says how far it is. */
export class JoinInPreparation extends DomainError {
  readonly kind = "join-in-preparation";
}

/** A zarr store, which cannot be sent as one file; the message says where it is read. */
export class NotOneFile extends DomainError {
  readonly kind = "not-one-file";
}

/** A range that lies outside the value. */
export class RangeNotSatisfiable extends DomainError {
  readonly kind = "range-not-satisfiable";
  constructor(readonly length: number) {
    super(`The value has ${length} bytes.`);
  }
}
