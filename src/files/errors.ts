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

/** A piece of the data, or what must be read for it, is more than one reading may take; the message says what. */
export class DataTooLarge extends DomainError {
  readonly kind = "data-too-large";
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
