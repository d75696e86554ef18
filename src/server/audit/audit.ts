/** The audit log of one process: what it records, where, and when it writes. */
import { access, constants, realpath, stat } from "node:fs/promises";
import { refusalOf, UserError } from "../../platform/errors.js";
import { makePrivateFolder } from "../../platform/file-system/private-files.js";
import type { RequestObserver } from "../http/request-context.js";
import { type AuditKey, openPseudonyms } from "./audit-key.js";
import { DayFiles } from "./day-files.js";
import type { FileKind } from "./days.js";
import type { EventName } from "./events.js";
import { type Fields, lineOf } from "./line.js";
import { Statistics } from "./statistics.js";
import { AuditTrail } from "./trail.js";

export interface AuditSettings {
  /** A folder, or standard output, between the lines of the log. */
  readonly to: { readonly folder: string } | "stdout";
  /** Days that files are kept. */
  readonly days: number;
  readonly key: AuditKey;
}

/** The folder of the audit log cannot be used; the message names it. */
export class UnusableAuditFolder extends UserError {
  override readonly name = "UnusableAuditFolder";
}

export interface AuditOptions {
  /** Called with the reason when nothing can be written. */
  readonly report: (problem: string) => void;
  /** Writes a line to standard output. @returns false if the line is lost */
  readonly print: (line: string) => boolean;
  readonly clock?: () => number;
  /** A command that records single events, without a beginning and an end of recording. */
  readonly isCommand?: boolean;
}

export interface AuditState {
  /** Lines lost since the start. */
  readonly lost: number;
  /** Failed writes since the start. */
  readonly failures: number;
}

export interface Audit {
  readonly observers: readonly RequestObserver[];
  readonly state: AuditState;
  /** Records an event that no request causes. */
  record(event: EventName, fields: Fields): void;
  /** Records that a user of the machine changed an account, a client or the keys. */
  recordAccount(action: string, name: string | undefined, machineUser: string): void;
  /** Writes the aggregated events. */
  flush(): Promise<void>;
  /** Writes everything that waits, within a time limit. */
  close(): Promise<void>;
}

/** Interval of writing aggregated events, in milliseconds. */
const MINUTE = 60_000;

/**
 * Opens the audit log; undefined if none is configured.
 *
 * @throws UnusableAuditFolder, UnusableAuditKey
 */
export async function openAudit(
  settings: AuditSettings | undefined,
  given: AuditOptions,
): Promise<Audit | undefined> {
  if (settings === undefined) return undefined;
  const options = { clock: Date.now, ...given };
  const { to, key } = settings;
  if (to === "stdout") return openOnStandardOutput(key, options);
  const { clock } = options;
  const folder = await openFolder(to.folder);
  const files = (kind: FileKind): DayFiles =>
    new DayFiles({
      ...{ folder, kind, clock, days: settings.days, report: options.report },
      lost: (lost, time) => lineOf({ time: time.toISOString(), ...eventOfLost(kind), lost }),
    });
  const [records, counts] = [files("audit"), files("statistics")];
  const pseudonyms = await openPseudonyms(key, folder);
  const write = (line: string): void => records.write(line);
  const trail = new AuditTrail({ write, pseudonyms, clock });
  const statistics = new Statistics((line) => counts.write(line), clock);
  const flush = async (): Promise<void> => {
    trail.flush();
    statistics.flush();
    await Promise.all([records.flush(), counts.flush()]);
  };
  await records.tidy();
  return {
    observers: [trail, statistics],
    get state() {
      return {
        lost: records.lost + counts.lost,
        failures: records.failures + counts.failures,
      };
    },
    ...startRecording(trail, options, {
      flush,
      eachMinute: () => void Promise.all([flush(), records.tidy()]).catch(() => {}),
      end: async () => {
        statistics.flush();
        await Promise.all([records.close(), counts.close()]);
      },
    }),
  };
}

/** Checks before Solr is started that the audit can be written. @throws as openAudit */
export async function checkAudit({ to, key }: AuditSettings): Promise<void> {
  await openPseudonyms(key, to === "stdout" ? undefined : await openFolder(to.folder));
}

async function openOnStandardOutput(
  key: AuditKey,
  options: AuditOptions & Pick<Required<AuditOptions>, "clock">,
): Promise<Audit> {
  const { print, clock } = options;
  let [lost, unreported] = [0, 0];
  const write = (line: string): void => {
    const marked = (text: string): string => `{"audit":true,${text.slice(1)}\n`;
    if (unreported > 0) {
      const time = new Date(clock()).toISOString();
      if (print(marked(lineOf({ time, ...eventOfLost("audit"), lost: unreported }))))
        unreported = 0;
    }
    if (unreported === 0 && print(marked(line))) return;
    lost += 1;
    unreported += 1;
  };
  const pseudonyms = await openPseudonyms(key, undefined);
  const trail = new AuditTrail({ write, pseudonyms, clock });
  const flush = async (): Promise<void> => trail.flush();
  return {
    observers: [trail],
    get state() {
      return { lost, failures: lost };
    },
    ...startRecording(trail, options, {
      flush,
      eachMinute: () => void flush(),
      end: async () => {},
    }),
  };
}

interface Schedule {
  flush(): Promise<void>;
  /** Runs every minute. */
  eachMinute(): void;
  end(): Promise<void>;
}

/** Starts recording. The log itself says when recording began and ended. */
function startRecording(
  trail: AuditTrail,
  { isCommand = false }: AuditOptions,
  { flush, eachMinute, end }: Schedule,
) {
  const timer = setInterval(eachMinute, MINUTE).unref();
  const say = (action: string): void => {
    if (!isCommand) trail.record("recording", { action, process: process.pid });
  };
  say("began");
  return {
    record: (event: EventName, fields: Fields) => trail.record(event, fields),
    recordAccount: (action: string, name: string | undefined, machineUser: string) =>
      trail.recordAccount(action, name, machineUser),
    flush,
    close: async () => {
      clearInterval(timer);
      trail.flush();
      say("ended");
      await end();
    },
  };
}

const eventOfLost = (kind: FileKind): Fields =>
  kind === "audit" ? { event: "lost" } : { kind: "lost" };

/** The real path of the folder, which is created if it is missing. @throws UnusableAuditFolder */
async function openFolder(folder: string): Promise<string> {
  try {
    await makePrivateFolder(folder);
    const real = await realpath(folder);
    if (!(await stat(real)).isDirectory()) throw new Error("not a folder");
    await access(real, constants.W_OK | constants.X_OK);
    return real;
  } catch (cause) {
    const reason = refusalOf(cause);
    throw new UnusableAuditFolder(`The folder of AUDIT, ${folder}, cannot be used (${reason}).`, {
      cause,
    });
  }
}
