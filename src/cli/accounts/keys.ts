/** The commands `keys ...`: the keys that sign access tokens. */
import { SetupError } from "../../index/collections/setup-error.js";
import type { Config } from "../../server/settings/config.js";
import { report } from "../terminal/print-line.js";
import { withAccounts } from "./edit-accounts.js";
import { recordChange } from "./record-change.js";

/** Makes a new key. A running service signs its next token with it; other instances of the same Solr follow within two seconds. */
export async function rotateKeys(config: Config): Promise<void> {
  const kid = await withAccounts(config, async ({ keys, edit }) => {
    const made = await edit(() => keys.add());
    await keys.prune();
    return made;
  });
  await recordChange(config, "keys-rotated");
  report(
    "Earlier keys stay valid until the tokens that they signed expire; shared addresses are no longer valid.",
  );
  process.stdout.write(`${JSON.stringify({ kid })}\n`);
}

/** Seals the private keys in Solr under the first key of STATE_KEY. @throws SetupError if the keys are files */
export async function sealKeys(config: Config): Promise<void> {
  const count = await withAccounts(config, async ({ shared, edit }) => {
    if (shared === undefined) {
      throw new SetupError(
        "Without SOLR_URL the keys are files in DATA_DIR, which are not sealed.",
      );
    }
    return edit(() => shared.keys.seal());
  });
  if (count > 0) await recordChange(config, "keys-sealed");
  report(
    count === 0
      ? "All keys are sealed under the first key of STATE_KEY already."
      : `Sealed ${count} key${count === 1 ? "" : "s"} under the first key of STATE_KEY; the others are not needed any more.`,
  );
}
