/** The programs that read access control lists. */
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { UserError } from "../../platform/errors.js";
import type { Tools } from "./path-nodes.js";

class RightsUntold extends UserError {
  override readonly name = "RightsUntold";
}

function found(name: string, path: string): string | undefined {
  return path
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

/** @param path folders of programs, as in PATH. @throws RightsUntold, which says what is missing */
export function findTools(path = process.env.PATH ?? ""): Tools {
  if (!existsSync("/proc/self/fd")) {
    throw new RightsUntold("FILE_RIGHTS=posix needs Linux, with /proc.");
  }
  const getfacl = found("getfacl", path);
  if (getfacl === undefined) {
    throw new RightsUntold(
      "FILE_RIGHTS=posix needs getfacl: install the package acl (apt install acl, dnf install acl).",
    );
  }
  return { getfacl, nfs4: found("nfs4_getfacl", path) };
}
