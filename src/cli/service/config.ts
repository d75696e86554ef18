import type { Config } from "../../server/config.js";

/** The service's settings, from the environment. Loaded late: most commands need no settings, and none its modules. */
export const config = async (): Promise<Config> =>
  (await import("../../server/config.js")).readConfig(process.env);
