/** Failures of readings as errors of the error table. */
import {
  CannotJoin,
  DamagedData,
  DataChanged,
  DataGone,
  DataTooLarge,
  JoinInPreparation,
  NotYours,
  UnreadableFormat,
} from "../../files/errors.js";
import { ReadingError } from "../../files/netcdf/errors.js";
import { DataUnavailable } from "../../platform/errors.js";

/** Runs a reading and translates its failures into errors of the error table. */
export async function translated<T>(reading: () => Promise<T>): Promise<T> {
  try {
    return await reading();
  } catch (error) {
    if (!(error instanceof ReadingError)) throw error;
    const cause = { cause: error };
    switch (error.kind) {
      case "not-readable-format":
        throw new UnreadableFormat(error.message, cause);
      case "outside-roots":
        throw new NotYours(error.message, cause);
      case "file-gone":
        throw new DataGone("The file of these data is not there any more.", cause);
      case "join-refused":
        throw new CannotJoin(error.message, cause);
      case "join-outdated":
        throw new DataChanged(error.message, cause);
      case "join-preparing":
        throw new JoinInPreparation(error.message, cause);
      case "too-large":
        throw new DataTooLarge(error.message, cause);
      case "damaged-file":
        throw new DamagedData(
          `The file of these data is damaged and cannot be read. ${error.message}`,
          { cause: error.cause },
        );
      default:
        throw new DataUnavailable(error.message, cause);
    }
  }
}
