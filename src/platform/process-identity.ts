import { execFile } from "node:child_process";
import { readFile, readlink } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A process, told apart from a later one that was given the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly started: string;
  /** Where the number counts: a machine, and a container on it. */
  readonly place?: string;
}

/** When the process `pid` started, as an opaque text; undefined when there is no such process. */
export async function startOf(pid: number): Promise<string | undefined> {
  if (!isAlive(pid)) return undefined;
  return process.platform === "linux" ? startFromProc(pid) : startFromPs(pid);
}

/** The identity of a running process. */
export async function identify(pid: number): Promise<ProcessIdentity | undefined> {
  const started = await startOf(pid);
  return started === undefined ? undefined : { pid, started, place: await here() };
}

/** Whether a process can be seen from here if it lives: in a folder on the network there may be others. */
export async function isVisible({ place }: ProcessIdentity): Promise<boolean> {
  return place === undefined || place === (await here());
}

/** Of a container, a number in it means nothing outside (pid_namespaces(7)). */
async function here(): Promise<string> {
  if (process.platform !== "linux") return hostname();
  const [boot, namespace] = await Promise.all([bootId(), readlink("/proc/self/ns/pid")]);
  return `${boot} ${namespace}`;
}

const bootId = async (): Promise<string> =>
  (await readFile("/proc/sys/kernel/random/boot_id", "utf8")).trim();

/** Whether that very process still runs. */
export async function isRunning(identity: ProcessIdentity): Promise<boolean> {
  return (await startOf(identity.pid)) === identity.started;
}

/** Whether that process ends within the time. */
export async function endsWithin(
  identity: ProcessIdentity,
  milliseconds: number,
): Promise<boolean> {
  const end = Date.now() + milliseconds;
  while (await isRunning(identity)) {
    if (Date.now() > end) return false;
    await sleep(100);
  }
  return true;
}

/** Sends a signal to a process that may have ended in the meantime. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    // EPERM: it is there, and another user's.
    return cause instanceof Error && "code" in cause && cause.code === "EPERM";
  }
}

/**
 * Clock ticks since boot, and which boot: unlike the date `ps` prints, a clock that is set does not move them,
 * and small container images have no `ps`.
 */
async function startFromProc(pid: number): Promise<string | undefined> {
  try {
    const [stat, boot] = await Promise.all([readFile(`/proc/${pid}/stat`, "utf8"), bootId()]);
    // The command's name, in parentheses, may hold spaces; the state and 19 more fields follow it.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state, ticks] = [fields[0], fields[19]];
    // A zombie holds nothing any more; it only waits for its parent to look.
    if (state === "Z" || state === "X" || ticks === undefined) return undefined;
    return `${boot}:${ticks}`;
  } catch {
    return undefined;
  }
}

async function startFromPs(pid: number): Promise<string | undefined> {
  try {
    const { stdout } = await run("ps", ["-o", "stat=,lstart=", "-p", String(pid)], {
      env: { PATH: process.env.PATH ?? "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" },
    });
    const [state = "Z", ...date] = stdout.trim().split(/\s+/);
    return state.startsWith("Z") ? undefined : date.join(" ");
  } catch {
    return undefined;
  }
}
