/** The audit of one process: what is recorded, where to, and when it is written. */
import { access, constants, realpath, stat } from "node:fs/promises";
import { UserError } from "../../platform/errors.js";
import { makePrivateFolder } from "../../platform/private-files.js";
import type { ExchangeObserver } from "../request-context.js";
import { type AuditKey, openPseudonyms } from "./audit-key.js";
import { DayFiles } from "./day-files.js";
import type { FileKind } from "./days.js";
import type { EventName } from "./events.js";
import { type Fields, lineOf } from "./line.js";
import { Statistics } from "./statistics.js";
import { AuditTrail } from "./trail.js";

export interface AuditSettings {
  /** A folder, or standard output among the lines of the log. */
  readonly to: { readonly folder: string } | "stdout";
  /** After so many days files are removed. */
  readonly days: number;
  readonly key: AuditKey;
}

/** A folder that cannot be used; the message is one sentence that names it. */
export class UnusableAuditFolder extends UserError {
  override readonly name = "UnusableAuditFolder";
}

export interface AuditOptions {
  /** Hears why nothing can be written. */
  readonly report: (problem: string) => void;
  /** Takes a line for standard output; false where it is lost. */
  readonly print: (line: string) => boolean;
  readonly clock?: () => number;
  /** Of a command, which does not record but has something to be recorded. */
  readonly isCommand?: boolean;
}

/** What others can show of how it goes. */
export interface AuditState {
  /** Lines that were lost since the start. */
  readonly lost: number;
  /** Writes that failed since the start. */
  readonly failures: number;
}

export interface Audit {
  readonly observers: readonly ExchangeObserver[];
  readonly state: AuditState;
  /** An event that no request makes. */
  record(event: EventName, fields: Fields): void;
  /** A change of an account, a client or the keys by a user of the machine. */
  recordAccount(action: string, name: string | undefined, machineUser: string): void;
  /** Writes what was gathered. */
  flush(): Promise<void>;
  /** Writes all that there is, for a while. */
  close(): Promise<void>;
}

/** Milliseconds for which what is many is gathered. */
const MINUTE = 60_000;

/**
 * Opens what is recorded to; undefined where nothing is.
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
  if (to === "stdout") return printed(key, options);
  const { clock } = options;
  const folder = await usable(to.folder);
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
    ...recording(trail, options, {
      flush,
      each: () => void Promise.all([flush(), records.tidy()]).catch(() => {}),
      end: async () => {
        statistics.flush();
        await Promise.all([records.close(), counts.close()]);
      },
    }),
  };
}

async function printed(
  key: AuditKey,
  options: AuditOptions & Pick<Required<AuditOptions>, "clock">,
): Promise<Audit> {
  const { print, clock } = options;
  let [lost, unsaid] = [0, 0];
  const write = (line: string): void => {
    const marked = (text: string): string => `{"audit":true,${text.slice(1)}\n`;
    if (unsaid > 0) {
      const time = new Date(clock()).toISOString();
      if (print(marked(lineOf({ time, ...eventOfLost("audit"), lost: unsaid })))) unsaid = 0;
    }
    if (unsaid === 0 && print(marked(line))) return;
    lost += 1;
    unsaid += 1;
  };
  const pseudonyms = await openPseudonyms(key, undefined);
  const trail = new AuditTrail({ write, pseudonyms, clock });
  const flush = async (): Promise<void> => trail.flush();
  return {
    observers: [trail],
    get state() {
      return { lost, failures: lost };
    },
    ...recording(trail, options, { flush, each: () => void flush(), end: async () => {} }),
  };
}

interface Ways {
  flush(): Promise<void>;
  /** Each minute. */
  each(): void;
  end(): Promise<void>;
}

/** From now on, until it is closed, which the record itself says. */
function recording(
  trail: AuditTrail,
  { isCommand = false }: AuditOptions,
  { flush, each, end }: Ways,
) {
  const timer = setInterval(each, MINUTE).unref();
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

/** The real path of the folder, made where it is not there. @throws UnusableAuditFolder */
async function usable(folder: string): Promise<string> {
  try {
    await makePrivateFolder(folder);
    const real = await realpath(folder);
    if (!(await stat(real)).isDirectory()) throw new Error("it is no folder");
    await access(real, constants.W_OK | constants.X_OK);
    return real;
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const reason = code ?? message;
    throw new UnusableAuditFolder(`The folder of AUDIT, ${folder}, cannot be used (${reason}).`, {
      cause,
    });
  }
}
