/**
 * Probes folders on file systems that may hang. A call to a hung file system waits in the kernel and cannot be
 * cancelled. So a child process makes the call, and not a thread of a FileProbe: this process could not end before the
 * thread does, and the folders are probed all the time. A hung child is abandoned, and there is at most one for each folder.
 */
import { spawn } from "node:child_process";
import type { Socket } from "node:net";
import { SingleFlight } from "../../../platform/concurrency/single-flight.js";
import { scrubbedEnvironment } from "../../../platform/processes/scrubbed-environment.js";

export type FolderState =
  | {
      readonly kind: "there";
      /** Bytes that are free for this account. */
      readonly free: number;
      readonly size: number;
      /** The mounted device, as the system names it. */
      readonly device: string;
    }
  | { readonly kind: "missing" }
  /** Listing is not permitted. */
  | { readonly kind: "refused" }
  /** Any other error of the system. */
  | { readonly kind: "broken"; readonly reason: string }
  | { readonly kind: "silent" };

/** `df` asks the file system itself; attributes of files may be cached (POSIX: XCU df). */
const SCRIPT = `
[ -d "$1" ] || { ls -d "$1" >/dev/null || exit 3; exit 3; }
[ -r "$1" ] && [ -x "$1" ] || exit 4
exec df -Pk "$1/."
`;
const [MISSING, REFUSED] = [3, 4];

/** A probe of a folder. It settles when the signal aborts. */
export function folderProbe(path: string): (signal: AbortSignal) => Promise<FolderState> {
  const probes = new SingleFlight<FolderState>();
  return (signal) => {
    // No second process is started while one hangs.
    const look = probes.join(() => stateInChild(path));
    const aborted = new Promise<FolderState>((resolve) => {
      signal.addEventListener("abort", () => resolve({ kind: "silent" }), { once: true });
    });
    return Promise.race([look, aborted]);
  };
}

function stateInChild(path: string): Promise<FolderState> {
  return new Promise((resolve) => {
    const env = { ...scrubbedEnvironment(), LC_ALL: "C" };
    const child = spawn("/bin/sh", ["-c", SCRIPT, "look", path], {
      env,
      cwd: "/",
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [text, problem] = ["", ""];
    child.once("error", ({ message }) => resolve({ kind: "broken", reason: message }));
    child.once("close", (status) => resolve(stateOf(status, text, problem)));
    // Without free descriptors, the child has no streams.
    child.stdout?.on("data", (piece) => {
      text += piece;
    });
    child.stderr?.on("data", (piece) => {
      problem += piece;
    });
    // A hung child must not keep this process from ending.
    child.unref();
    for (const pipe of [child.stdout, child.stderr]) (pipe as Socket | undefined)?.unref();
  });
}

function stateOf(status: number | null, text: string, problem: string): FolderState {
  const reason = problem.trim().split("\n")[0] ?? "";
  if (status === REFUSED) return { kind: "refused" };
  if (status === MISSING) {
    return /No such file|Not a directory|^$/.test(reason)
      ? { kind: "missing" }
      : { kind: "broken", reason };
  }
  // Device and mount point may contain blanks; the numbers are between them, before the only `%`.
  const words = (text.split("\n")[1] ?? "").split(" ").filter((word) => word !== "");
  const at = words.findIndex((word, index) => index >= 4 && word.endsWith("%"));
  const [size, , free] = words.slice(at - 3, at).map(Number);
  if (at < 0 || !Number.isFinite(size) || !Number.isFinite(free)) {
    return { kind: "broken", reason: reason || "df does not tell of it" };
  }
  const device = words.slice(0, at - 3).join(" ");
  return { kind: "there", device, size: Number(size) * 1024, free: Number(free) * 1024 };
}
