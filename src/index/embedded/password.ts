import { createHash, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isMissing } from "../../platform/errors.js";
import { makePrivateFolder, writePrivateFile } from "../../platform/file-system/private-files.js";

/** The one user of the embedded Solr. */
export const solrUser = "climate-nextgen";

/** The password of the embedded Solr in `folder`/password. The first call creates it. */
export async function solrPassword(folder: string): Promise<string> {
  await makePrivateFolder(folder);
  const path = join(folder, "password");
  const existing = await readPassword(folder);
  if (existing !== undefined) return existing;
  const password = randomBytes(32).toString("base64url");
  await writePrivateFile(path, `${password}\n`);
  return password;
}

/** The password in `folder`; undefined if there is none yet. */
export async function readPassword(folder: string): Promise<string | undefined> {
  try {
    const password = (await readFile(join(folder, "password"), "utf8")).trim();
    return password === "" ? undefined : password;
  } catch (cause) {
    if (isMissing(cause)) return undefined;
    throw cause;
  }
}

/** Writes `home`/security.json, which gives all permissions to one user and none to others. */
export async function writeSecurity(home: string, user: string, password: string): Promise<void> {
  const security = {
    authentication: {
      class: "solr.BasicAuthPlugin",
      blockUnknown: true,
      forwardCredentials: false,
      credentials: { [user]: credential(password) },
    },
    authorization: {
      class: "solr.RuleBasedAuthorizationPlugin",
      "user-role": { [user]: "admin" },
      permissions: [{ name: "all", role: "admin" }],
    },
  };
  await writePrivateFile(join(home, "security.json"), `${JSON.stringify(security, null, 2)}\n`);
}

/** Solr's format: `sha256(sha256(salt + password))` and the salt, both in base64. */
function credential(password: string): string {
  const salt = randomBytes(32);
  const once = createHash("sha256").update(salt).update(password, "utf8").digest();
  const twice = createHash("sha256").update(once).digest();
  return `${twice.toString("base64")} ${salt.toString("base64")}`;
}
