/** Opens a file of this machine and detects its format. */

import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { FileChanged } from "../errors.js";
import type { FileBytes, ReaderLimits } from "../file-reader.js";
import { ByteSource } from "./byte-source.js";
import { type FileIdentity, fileIdentity, identityOf, sameIdentity } from "./file-identity.js";

export type Source = ByteSource;

export const Source = {
  /** @param expected the identity the file must still have */
  open: (path: string, expected?: FileIdentity, limits?: ReaderLimits): Source =>
    ByteSource.over(openFile(path, expected), limits),
};

/** @param expected the identity the file must still have. @throws the operating system's errors */
export function openFile(path: string, expected?: FileIdentity): FileBytes {
  // Opening a named pipe must not block.
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const identity = fileIdentity(fstatSync(fd, { bigint: true }));
    if (expected !== undefined && !sameIdentity(identity, expected)) {
      throw new FileChanged("The file was changed while it was read.");
    }
    return {
      identity,
      isUnchanged: () => sameIdentity(identity, identityOf(fstatSync(fd, { bigint: true }))),
      read: (target, offset) => readSync(fd, target, 0, target.byteLength, offset),
      close: () => closeSync(fd),
    };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}
