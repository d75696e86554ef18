/** The command `keys rotate`. */
import { keyFolder } from "../auth/auth.js";
import { addKey, pruneKeys } from "../auth/keys.js";
import type { Config } from "../config.js";

/** Makes a new key; running services sign with it from their next token on. */
export async function rotateKeys(config: Config): Promise<void> {
  const folder = keyFolder(config.dataDir);
  const kid = await addKey(folder);
  await pruneKeys(folder);
  process.stderr.write(
    "Earlier keys verify until the tokens that they signed have expired; shared addresses have ended.\n",
  );
  process.stdout.write(`${JSON.stringify({ kid })}\n`);
}
