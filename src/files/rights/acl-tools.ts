/** The programs that read access control lists. */
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { UserError } from "../../platform/errors.js";
import type { Tools } from "./path-nodes.js";

/** The path of a program in a folder of PATH. */
function programNamed(name: string): string | undefined {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** @throws UserError, which says what is missing */
export function findTools(): Tools {
  if (!existsSync("/proc/self/fd")) {
    throw new UserError("FILE_RIGHTS=posix needs Linux, with /proc.");
  }
  const getfacl = programNamed("getfacl");
  if (getfacl === undefined) {
    throw new UserError(
      "FILE_RIGHTS=posix needs getfacl: install the package acl (apt install acl, dnf install acl).",
    );
  }
  return { getfacl, nfs4: programNamed("nfs4_getfacl") };
}
