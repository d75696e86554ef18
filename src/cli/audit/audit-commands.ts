/** Declares the commands `statistics` and `audit`. */
import { type Command, InvalidArgumentError } from "commander";
import { dayOf } from "../../server/audit/days.js";
import type { Config } from "../../server/settings/config.js";
import type { StatisticsOptions } from "./statistics.js";

function day(text: string): string {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time) || dayOf(time) !== text) {
    throw new InvalidArgumentError("Write a day such as 2026-11-22.");
  }
  return text;
}

function days(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) >= 1) return Number(text);
  throw new InvalidArgumentError("Write a whole number from 1.");
}

export function addAuditCommands(program: Command, config: () => Promise<Config>): void {
  program
    .command("statistics")
    .description("print what was searched and read, and which searches found nothing")
    .argument("[folder...]", "AUDIT folders of one or more instances (default: the setting AUDIT)")
    .option("--days <number>", "the last days, including today (30)", days)
    .option("--from <day>", "the first day, such as 2026-11-01 (UTC)", day)
    .option("--to <day>", "the last day (default: today)", day)
    .option("--top <number>", "lines of each table", days, 20)
    .option("--json", "print JSON")
    .action(async (folders: string[], options: StatisticsOptions) =>
      (await import("./statistics.js")).statistics(await config(), folders, options),
    );
  program
    .command("audit")
    .description("find a person in the audit records")
    .command("pseudonym")
    .description("print the pseudonym of a name, a subject or an address")
    .argument("<text>")
    .action(async (text: string) =>
      (await import("./pseudonym.js")).pseudonym(await config(), text),
    );
}
