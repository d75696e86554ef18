/** The command `audit pseudonym`. */
import { UserError } from "../../platform/errors.js";
import { openPseudonyms } from "../../server/audit/audit-key.js";
import type { Config } from "../../server/settings/config.js";
import { printLine } from "../terminal/print-line.js";

/** Prints the pseudonym of a text in the audit. @throws UserError without a permanent key */
export async function pseudonym({ audit }: Config, text: string): Promise<void> {
  const isPermanent = audit?.key.text !== undefined || audit?.key.file !== undefined;
  if (audit === undefined || (audit.to === "stdout" && !isPermanent)) {
    throw new UserError("Set AUDIT to a folder, or set AUDIT_KEY or AUDIT_KEY_FILE.");
  }
  const folder = audit.to === "stdout" ? undefined : audit.to.folder;
  await printLine((await openPseudonyms(audit.key, folder)).of(text));
}
