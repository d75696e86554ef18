/** The mounted file systems, as /proc/self/mountinfo lists them (proc_pid_mountinfo(5)). */
import { readFileSync } from "node:fs";

interface Mount {
  /** Major and minor number of the device, such as `8:1`. */
  readonly device: string;
  readonly path: string;
  /** The type of the file system, for example `ext4` or `nfs4`. */
  readonly type: string;
}

/** All mounts in the order of the kernel; none on a system without /proc. */
export function readMounts(): readonly Mount[] {
  let text: string;
  try {
    text = readFileSync("/proc/self/mountinfo", "utf8");
  } catch {
    return [];
  }
  return text.split("\n").flatMap((line): Mount[] => {
    const [own = "", more] = line.split(" - ");
    const [, , device, , path] = own.split(" ");
    if (device === undefined || path === undefined || more === undefined) return [];
    return [{ device, path: unescaped(path), type: more.split(" ")[0] ?? "" }];
  });
}

/** The kernel writes blanks, line breaks and backslashes as three octal digits. */
const unescaped = (path: string): string =>
  path.replace(/\\(\d{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
