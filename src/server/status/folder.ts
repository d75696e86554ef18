/**
 * Folders that may lie on a file system that does not answer. Whoever asks that waits in the kernel, where no signal
 * reaches it: so a process is asked, which is left behind when it hangs, and never one of the threads in which this
 * process reads files. There is one such process for a folder at the most, however long it hangs.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import { openEnvironment } from "../../platform/scrubbed-environment.js";
import { SingleFlight } from "../../platform/single-flight.js";

/** What there is at a path. */
export type FolderState =
  | {
      readonly kind: "there";
      /** Bytes that are free for this account, and in all. */
      readonly free: number;
      readonly size: number;
      /** What is mounted there, as the system calls it. */
      readonly device: string;
    }
  | { readonly kind: "missing" }
  /** It may not be listed. */
  | { readonly kind: "refused" }
  /** The system says something else. */
  | { readonly kind: "broken"; readonly reason: string }
  | { readonly kind: "silent" };

/** `df` asks the file system itself, where a file's attributes may be remembered (POSIX: XCU df). */
const SCRIPT = `
[ -d "$1" ] || { ls -d "$1" >/dev/null || exit 3; exit 3; }
[ -r "$1" ] && [ -x "$1" ] || exit 4
exec df -Pk "$1/."
`;
const [MISSING, REFUSED] = [3, 4];

export class FolderProbe {
  readonly path: string;
  readonly #probes = new SingleFlight<FolderState>();

  constructor(path: string) {
    this.path = path;
  }

  /** What there is; settles when the signal aborts. */
  async inspect(signal: AbortSignal): Promise<FolderState> {
    // While one process hangs, no second one is started.
    const look = this.#probes.join(() => this.#send());
    const aborted = new Promise<FolderState>((resolve) => {
      signal.addEventListener("abort", () => resolve({ kind: "silent" }), { once: true });
    });
    return Promise.race([look, aborted]);
  }

  #send(): Promise<FolderState> {
    return new Promise((resolve) => {
      const env = { ...openEnvironment(), LC_ALL: "C" };
      const child = spawn("/bin/sh", ["-c", SCRIPT, "look", this.path], {
        ...{ env, cwd: "/", stdio: ["ignore", "pipe", "pipe"] },
      }) as ChildProcessByStdio<null, Readable, Readable>;
      let [text, problem] = ["", ""];
      child.stdout.on("data", (piece) => {
        text += piece;
      });
      child.stderr.on("data", (piece) => {
        problem += piece;
      });
      child.once("error", ({ message }) => resolve({ kind: "broken", reason: message }));
      child.once("close", (status) => resolve(stateOf(status, text, problem)));
      // Whatever it waits for, the end of this process does not.
      child.unref();
      for (const pipe of [child.stdout, child.stderr]) (pipe as Socket).unref();
    });
  }
}

function stateOf(status: number | null, text: string, problem: string): FolderState {
  const reason = problem.trim().split("\n")[0] ?? "";
  if (status === REFUSED) return { kind: "refused" };
  if (status === MISSING) {
    return /No such file|Not a directory|^$/.test(reason)
      ? { kind: "missing" }
      : { kind: "broken", reason };
  }
  // What is mounted and where may have blanks in their names; the numbers stand between them, before the only `%`.
  const words = (text.split("\n")[1] ?? "").split(" ").filter((word) => word !== "");
  const at = words.findIndex((word, index) => index >= 4 && word.endsWith("%"));
  const [size, , free] = words.slice(at - 3, at).map(Number);
  if (at < 0 || !Number.isFinite(size) || !Number.isFinite(free)) {
    return { kind: "broken", reason: reason || "df does not tell of it" };
  }
  const device = words.slice(0, at - 3).join(" ");
  return { kind: "there", device, size: Number(size) * 1024, free: Number(free) * 1024 };
}
