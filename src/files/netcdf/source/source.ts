/** Opens a file of this machine and detects its format. */

import type { ReaderLimits } from "../file-reader.js";
import { ByteSource } from "./byte-source.js";
import { openFile } from "./file-bytes.js";
import type { FileIdentity } from "./file-identity.js";

export type Source = ByteSource;

export const Source = {
  /**
   * @param expected the identity the file must still have
   * @throws NotReadableFormat, DamagedFile, FileChanged, and the operating system's errors
   */
  open: (path: string, expected?: FileIdentity, limits?: ReaderLimits): Source =>
    ByteSource.over(openFile(path, expected), limits),
};
