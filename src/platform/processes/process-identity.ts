import { execFile } from "node:child_process";
import { readFile, readlink } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A process, distinct from later ones with the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly started: string;
  /** The machine, and the container, in which the number is valid. */
  readonly place?: string;
}

/** The start time of a process as an opaque text; undefined if there is none. */
async function startOf(pid: number): Promise<string | undefined> {
  if (!isAlive(pid)) return undefined;
  return process.platform === "linux" ? startFromProc(pid) : startFromPs(pid);
}

export async function identify(pid: number): Promise<ProcessIdentity | undefined> {
  const started = await startOf(pid);
  return started === undefined ? undefined : { pid, started, place: await here() };
}

/** Whether a running process would be visible here. Claims in a network folder may be of other machines. */
export async function isVisible({ place }: ProcessIdentity): Promise<boolean> {
  return place === undefined || place === (await here());
}

/** Process numbers are valid only within their container (pid_namespaces(7)). */
async function here(): Promise<string> {
  if (process.platform !== "linux") return hostname();
  const [boot, namespace] = await Promise.all([bootId(), readlink("/proc/self/ns/pid")]);
  return `${boot} ${namespace}`;
}

const bootId = async (): Promise<string> =>
  (await readFile("/proc/sys/kernel/random/boot_id", "utf8")).trim();

/** Whether exactly this process still runs. */
export async function isRunning(identity: ProcessIdentity): Promise<boolean> {
  return (await startOf(identity.pid)) === identity.started;
}

/** Waits for the end of a process. @returns whether it ended in time */
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

/** Sends a signal to a process, which may have ended already. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

/** Whether a process has this number, which may be another one than before. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    // EPERM: it exists and belongs to another user.
    return cause instanceof Error && "code" in cause && cause.code === "EPERM";
  }
}

/**
 * The id of the boot and the clock ticks since then. Unlike the date of `ps`, they do not change when the clock is set, and
 * small container images have no `ps`.
 */
async function startFromProc(pid: number): Promise<string | undefined> {
  try {
    const [stat, boot] = await Promise.all([readFile(`/proc/${pid}/stat`, "utf8"), bootId()]);
    // The command's name, in parentheses, may contain spaces. The state and 19 more fields follow it.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state, ticks] = [fields[0], fields[19]];
    // A zombie has no resources; it only waits for its parent.
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
