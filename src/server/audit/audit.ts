/** The audit log of one process: what it records, where, and when it writes. */
import { access, constants, realpath, stat } from "node:fs/promises";
import { refusalOf, UserError } from "../../platform/errors.js";
import { makePrivateFolder } from "../../platform/file-system/private-files.js";
import type { RequestObserver } from "../http/request-context.js";
import { DayFiles } from "./day-files.js";
import type { FileKind } from "./days.js";
import { type Fields, lineOf } from "./line.js";
import { type AuditKey, openPseudonyms } from "./pseudonyms.js";
import { Statistics } from "./statistics.js";
import { AuditTrail } from "./trail.js";

export interface AuditSettings {
  /** A folder, or standard output, between the lines of the log. */
  readonly to: { readonly folder: string } | "stdout";
  readonly days: number;
  readonly key: AuditKey;
}

/** The folder of the audit log cannot be used; the message names it. */
class UnusableAuditFolder extends UserError {
  override readonly name = "UnusableAuditFolder";
}

interface AuditOptions {
  /** Called with the reason when nothing can be written. */
  readonly report: (problem: string) => void;
  /** Writes a line to standard output. @returns false if the line is lost */
  readonly print: (line: string) => boolean;
  /** A command that records single events, without a beginning and an end of recording. */
  readonly isCommand?: boolean;
}

interface AuditState {
  /** Lines lost since the start. */
  readonly lost: number;
  /** Failed writes since the start. */
  readonly failures: number;
}

/** The files of days, or standard output. */
interface Sink extends AuditState {
  write(line: string): void;
  flush(): Promise<void>;
  tidy(): Promise<void>;
  close(): Promise<void>;
}

export interface Audit {
  readonly observers: readonly RequestObserver[];
  readonly state: AuditState;
  /** Records that a user of the machine changed an account, a client or the keys. */
  recordAccount(action: string, name: string | undefined, machineUser: string): void;
  flush(): Promise<void>;
  /** Writes everything that waits, within a time limit. */
  close(): Promise<void>;
}

/** Interval of writing aggregated events, in milliseconds. */
const MINUTE = 60_000;

/** Opens the audit log; undefined if none is configured. Statistics need files. */
export async function openAudit(
  settings: AuditSettings | undefined,
  { report, print, isCommand = false }: AuditOptions,
): Promise<Audit | undefined> {
  if (settings === undefined) return undefined;
  const { to, key, days } = settings;
  const folder = to === "stdout" ? undefined : await openFolder(to.folder);
  const files = (kind: FileKind): DayFiles | undefined => {
    const lost = (count: number, time: Date): string => lostLine(kind, count, time);
    return folder === undefined ? undefined : new DayFiles({ folder, kind, days, report, lost });
  };
  const [records, counts] = [files("audit") ?? outputSink(print), files("statistics")];
  const sinks: readonly Sink[] = counts === undefined ? [records] : [records, counts];
  const pseudonyms = await openPseudonyms(key, folder, report);
  const trail = new AuditTrail((line) => records.write(line), pseudonyms);
  const statistics = counts && new Statistics((line) => counts.write(line));
  const flush = async (): Promise<void> => {
    trail.flush();
    statistics?.flush();
    await Promise.all(sinks.map((sink) => sink.flush()));
  };
  await records.tidy();
  const eachMinute = () => void Promise.all([flush(), records.tidy()]).catch(() => {});
  const timer = setInterval(eachMinute, MINUTE).unref();
  // The log itself says when recording began and ended.
  const say = (action: string): void => {
    if (!isCommand) trail.record("recording", { action, process: process.pid });
  };
  say("began");
  const sum = (of: keyof AuditState): number => sinks.reduce((all, sink) => all + sink[of], 0);
  return {
    observers: statistics === undefined ? [trail] : [trail, statistics],
    get state() {
      return { lost: sum("lost"), failures: sum("failures") };
    },
    recordAccount: (...change) => trail.recordAccount(...change),
    flush,
    close: async () => {
      clearInterval(timer);
      trail.flush();
      say("ended");
      statistics?.flush();
      await Promise.all(sinks.map((sink) => sink.close()));
    },
  };
}

/** Checks before Solr is started that the audit can be written. */
export async function checkAudit({ to, key }: AuditSettings): Promise<void> {
  const folder = to === "stdout" ? undefined : await openFolder(to.folder);
  await openPseudonyms(key, folder, () => {});
}

function outputSink(print: AuditOptions["print"]): Sink {
  let [lost, unreported] = [0, 0];
  const marked = (line: string): string => `{"audit":true,${line.slice(1)}\n`;
  const done = async (): Promise<void> => {};
  return {
    get lost() {
      return lost;
    },
    get failures() {
      return lost;
    },
    write: (line) => {
      if (unreported > 0 && print(marked(lostLine("audit", unreported, new Date())))) {
        unreported = 0;
      }
      if (unreported === 0 && print(marked(line))) return;
      lost += 1;
      unreported += 1;
    },
    flush: done,
    tidy: done,
    close: done,
  };
}

function lostLine(kind: FileKind, lost: number, at: Date): string {
  const event: Fields = kind === "audit" ? { event: "lost" } : { kind: "lost" };
  return lineOf({ time: at.toISOString(), ...event, lost });
}

/** The real path of the folder, which is created if it is missing. */
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
