/** Which process listens at a port of this machine. */
import { readdir, readFile, readlink } from "node:fs/promises";

/** Of /proc/net/tcp: listening (proc_pid_net(5)). */
const LISTEN = "0A";

/** Whether a process of the same user listens at a port. Assumed where there is no /proc. */
export async function listensAt(pid: number, port: number): Promise<boolean> {
  if (process.platform !== "linux") return true;
  const sockets = new Set(await listeningSockets(port));
  if (sockets.size === 0) return false;
  const folder = `/proc/${pid}/fd`;
  // A descriptor may be closed, and the process may end, while they are read.
  const names = await readdir(folder).catch(() => []);
  const targets = await Promise.all(
    names.map((name) => readlink(`${folder}/${name}`).catch(() => "")),
  );
  return targets.some((target) => sockets.has(target));
}

/** The sockets that listen at a port, as descriptors name them. Java's are in the table of IPv6, also for addresses of IPv4. */
async function listeningSockets(port: number): Promise<string[]> {
  const ending = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const tables = await Promise.all(
    ["tcp", "tcp6"].map((name) => readFile(`/proc/net/${name}`, "utf8").catch(() => "")),
  );
  return tables.flatMap((table) =>
    table.split("\n").flatMap((line) => {
      const [, local = "", , state, , , , , , inode] = line.trim().split(/\s+/);
      return state === LISTEN && local.endsWith(ending) ? [`socket:[${inode}]`] : [];
    }),
  );
}
