/** What commands change about accounts stands in the same record as what the service does. */
import { userInfo } from "node:os";
import { openAudit } from "../../server/audit/audit.js";
import type { Config } from "../../server/config.js";
import { report } from "../terminal/print-line.js";

export type AccountAction =
  | "user-added"
  | "password-changed"
  | "administrator-made"
  | "administrator-removed"
  | "user-disabled"
  | "user-removed"
  | "client-added"
  | "client-removed"
  | "keys-rotated"
  | "keys-sealed";

/** Whoever runs the command, by the machine's word. */
function machineUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? "");
  }
}

/**
 * Records a change that was made. That it cannot be recorded is said and undoes nothing. Standard output is the
 * command's own, so that only a folder is written to.
 *
 * @param name of a user or a client
 */
export async function recordChange(
  { audit: settings }: Config,
  action: AccountAction,
  name?: string,
): Promise<void> {
  if (settings === undefined || settings.to === "stdout") return;
  try {
    const print = (): boolean => false;
    const audit = await openAudit(settings, { report, print, isCommand: true });
    audit?.recordAccount(action, name, machineUser());
    await audit?.close();
  } catch (error) {
    report(`This was not recorded: ${(error as Error).message}`);
  }
}
