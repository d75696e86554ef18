/** Uploads a shipped configset to SolrCloud over HTTP. */
import { readFile } from "node:fs/promises";
import { zipSync } from "fflate";
import { packagePath } from "../../platform/package-root.js";
import { AdminRefused, type SolrAdmin } from "../collections/admin.js";
import { configsetName } from "../collections/configset.js";
import { SetupError } from "../collections/setup-error.js";

export const CONFIGSET_FILES = ["schema.xml", "solrconfig.xml"] as const;

/** The path of a file of a shipped configset. */
export const configsetFile = (configset: string, file: string): string =>
  packagePath("solr", configset, "conf", file);

/** Uploads a configset under its name (Solr Reference Guide, "Configsets API"). @throws SetupError */
export async function uploadConfigset(admin: SolrAdmin, configset: string): Promise<void> {
  const files = await Promise.all(
    CONFIGSET_FILES.map(
      async (name) => [name, await readFile(configsetFile(configset, name))] as const,
    ),
  );
  const name = configsetName(configset);
  const parameters = { action: "UPLOAD", name, overwrite: "true" };
  try {
    await admin.ask("admin/configs", parameters, zipSync(Object.fromEntries(files)));
  } catch (error) {
    if (!(error instanceof AdminRefused)) throw error;
    throw new SetupError(`Solr does not take the configset ${name}: ${error.message}`);
  }
}
