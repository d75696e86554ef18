import type { Config } from "../../server/settings/config.js";

/** The service's settings, from the environment. Imported on demand, because most commands need no settings. */
export const readSettings = async (more: Readonly<Record<string, string>> = {}): Promise<Config> =>
  (await import("../../server/settings/config.js")).readConfig({ ...process.env, ...more });

/** The same, with a warning on standard error for each misspelled setting. */
export async function config(): Promise<Config> {
  const read = await readSettings();
  for (const sentence of read.misspelled) process.stderr.write(`Warning: ${sentence}\n`);
  return read;
}
