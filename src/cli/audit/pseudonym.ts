/** The command `audit pseudonym`. */

import { UserError } from "../../platform/errors.js";
import { openPseudonyms } from "../../server/audit/audit-key.js";
import type { Config } from "../../server/config.js";
import { printLine } from "../terminal/print-line.js";

/** Prints how somebody is called in the audit. @throws UserError where there is no key that stays; UnusableAuditKey */
export async function pseudonym({ audit }: Config, text: string): Promise<void> {
  const isKept = audit?.key.text !== undefined || audit?.key.file !== undefined;
  if (audit === undefined || (audit.to === "stdout" && !isKept)) {
    throw new UserError("AUDIT must be a folder, or AUDIT_KEY or AUDIT_KEY_FILE be set.");
  }
  const folder = audit.to === "stdout" ? undefined : audit.to.folder;
  await printLine((await openPseudonyms(audit.key, folder)).of(text));
}
