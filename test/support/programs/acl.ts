/** The programs for access control lists: this machine's, or those of Debian's package. */
import { dirname, join } from "node:path";
import { findProgram } from "./debian.js";

export interface AclTools {
  readonly getfacl: string;
  readonly setfacl: string;
}

/** Undefined where they cannot be had, or nobody could be made the owner of a file with them. */
export async function findAcl(): Promise<AclTools | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const program = await findProgram({ path: "bin/setfacl", packages: ["acl"] });
  if (program === undefined) return undefined;
  const folder = dirname(program.path);
  return { getfacl: join(folder, "getfacl"), setfacl: join(folder, "setfacl") };
}
