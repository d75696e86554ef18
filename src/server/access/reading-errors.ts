/** Failures of readings as errors of the error table. */
import { ReadingError } from "../../files/netcdf/errors.js";
import { DomainError } from "../../platform/errors.js";
import { type ErrorKind, READING_FAILURES } from "../contract/error-table.js";

export class UnreadableData extends DomainError {
  constructor(
    readonly kind: ErrorKind,
    message: string,
    options: ErrorOptions,
  ) {
    super(message, options);
  }
}

const DETAILS: Partial<Record<ErrorKind, (message: string) => string>> = {
  "data-gone": () => "The file of these data is not there any more.",
  "damaged-data": (message) => `The file of these data is damaged and cannot be read. ${message}`,
};

export async function translated<T>(reading: () => Promise<T>): Promise<T> {
  try {
    return await reading();
  } catch (error) {
    if (!(error instanceof ReadingError)) throw error;
    const kind = READING_FAILURES.get(error.kind) ?? "internal-error";
    const detail = DETAILS[kind]?.(error.message) ?? error.message;
    throw new UnreadableData(kind, detail, { cause: error });
  }
}
