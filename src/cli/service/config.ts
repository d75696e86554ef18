import type { Config } from "../../server/settings/config.js";

/** The service's settings, from the environment. Imported on demand, because most commands need no settings. */
export const config = async (): Promise<Config> =>
  (await import("../../server/settings/config.js")).readConfig(process.env);
