/** The programs for access control lists. */
import { dirname, join } from "node:path";
import { ACL, findProgram } from "./debian.js";

export interface AclTools {
  readonly getfacl: string;
  readonly setfacl: string;
}

/** Undefined if there are none, or if this process may not make others the owners of files. */
export function findAcl(): AclTools | undefined {
  const program = process.getuid?.() === 0 ? findProgram(ACL) : undefined;
  if (program === undefined) return undefined;
  const folder = dirname(program.path);
  return { getfacl: join(folder, "getfacl"), setfacl: join(folder, "setfacl") };
}
