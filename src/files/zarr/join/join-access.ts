import type { FileDataset } from "../dataset/file-dataset.js";
import type { ReadingClient } from "../worker/client.js";

/** Opens the files of a join for one reader, who must have access to each. */
export interface JoinAccess {
  /**
   * A file, in the state in which it was planned with.
   *
   * @param index in the recipe
   * @throws JoinOutdated if it has changed; ReadingError; errors of access
   */
  open(index: number, client?: ReadingClient): Promise<FileDataset>;
  /** Checks all files, as documents and computed values are made of all. @throws as open */
  all(): Promise<void>;
}
