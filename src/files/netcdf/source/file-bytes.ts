/** Opens files of this machine. */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { FileChanged } from "../errors.js";
import type { FileBytes } from "../file-reader.js";
import { type FileIdentity, fileIdentity, sameIdentity } from "./file-identity.js";

/**
 * @param expected the identity the file must still have
 * @throws FileGone, FileUnreachable (as the operating system's error), FileChanged
 */
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
      read: (target, offset) => readSync(fd, target, 0, target.byteLength, offset),
      close: () => closeSync(fd),
    };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}
