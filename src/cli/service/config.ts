import type { Config } from "../../server/settings/config.js";

/** The service's settings, from the environment. Imported on demand, because most commands need no settings. */
export const readSettings = async (more: Readonly<Record<string, string>> = {}): Promise<Config> =>
  (await import("../../server/settings/config.js")).readConfig({ ...process.env, ...more });

/** The same, with warnings on standard error about variables that are no settings. */
export async function config(): Promise<Config> {
  const read = await readSettings();
  for (const sentence of read.ignored) process.stderr.write(`Warning: ${sentence}\n`);
  return read;
}
