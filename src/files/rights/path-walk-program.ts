/**
 * What the threads run that look at files: text, see AskedThreads.
 *
 * A path is walked as the kernel does it, but each step from the folder that was opened before, so that what is told of
 * a folder is told of the one that was passed, whatever is moved or linked meanwhile. The descriptors (O_PATH, for which
 * no right to read is needed) are also what getfacl is asked about, by /proc/self/fd: no name reaches it. Of the
 * entries of lists, which give nothing away but names, it gets the names, many at a time.
 */
export const THREAD = `
const { parentPort, workerData } = require("node:worker_threads");
const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const { getfacl, nfs4, remembered } = workerData;
const O_PATH = 0o10000000;
const { O_NOFOLLOW, O_DIRECTORY, S_IFMT, S_IFLNK, S_IFDIR } = fs.constants;
const MAX_LINKS = 40;
const MAX_ASKED = 200;
const MAX_KEPT = 50000;
const MAX_OUTPUT = 64 << 20;
const TOOL_MS = 4000;
const NO_WAY = new Set(["ENOENT", "ENOTDIR", "ELOOP", "EACCES", "ENAMETOOLONG"]);
const CLOSED = new Set(["gpfs", "cifs", "smb3", "afs", "9p"]);

const read = (path) => { try { return fs.readFileSync(path, "utf8"); } catch { return ""; } };
const guardsLinks = read("/proc/sys/fs/protected_symlinks").trim() !== "0";

let mounts = new Map();
let mountsRead = -Infinity;
const kindOf = (dev) => {
  if (performance.now() - mountsRead > remembered || !mounts.has(dev)) {
    mounts = new Map(read("/proc/self/mountinfo").split("\\n").flatMap((line) => {
      const [own, more] = line.split(" - ");
      if (more === undefined) return [];
      const [major, minor] = own.split(" ")[2].split(":").map(Number);
      return [[major + ":" + minor, more.split(" ")[0]]];
    }));
    mountsRead = performance.now();
    if (!mounts.has(dev)) mounts.set(dev, "");
  }
  const type = mounts.get(dev);
  return type === "nfs4" ? "nfs4" : CLOSED.has(type) ? "closed" : "posix";
};
const deviceOf = (dev) => {
  const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & ~0xfffn);
  const minor = (dev & 0xffn) | ((dev >> 12n) & ~0xffn);
  return major + ":" + minor;
};
const factsOf = (stats) => ({
  id: stats.dev + ":" + stats.ino,
  changed: String(stats.ctimeNs),
  mode: Number(stats.mode),
  uid: Number(stats.uid),
  gid: Number(stats.gid),
  kind: kindOf(deviceOf(stats.dev)),
});

const spawned = (tool, args, options) => {
  const told = spawnSync(tool, args, {
    timeout: TOOL_MS, maxBuffer: MAX_OUTPUT, encoding: "utf8", env: { LC_ALL: "C" }, ...options,
  });
  if (told.error) throw told.error;
  return told;
};
const ofTool = (tool, told) => {
  if (told.status === 0) return told.stdout;
  throw new Error(tool + " failed: " + String(told.stderr).slice(0, 200));
};
const FIRST = 3;
const FLAGS = ["-a", "-n", "-E", "-p", "-s"];
/** name -> list, of those that have more than a mode. */
const listsIn = (text) => new Map(text.split("\\n\\n").flatMap((block) => {
  const lines = block.split("\\n").filter((line) => line !== "");
  if (lines.length === 0) return [];
  if (!lines[0].startsWith("# file: ")) throw new Error("getfacl told something else");
  return [[lines[0].slice(8), lines.filter((line) => !line.startsWith("#")).join("\\n")]];
}));

const known = new Map();
const keep = (key, acl) => {
  if (known.size >= MAX_KEPT) known.clear();
  known.set(key, { acl, until: performance.now() + remembered });
};
/** @param nodes of this question, each with the descriptor it was met by */
const addLists = (nodes) => {
  const asked = { posix: [], nfs4: [] };
  for (const node of nodes) {
    if (node.kind === "closed") continue;
    const key = node.id + " " + node.changed;
    const before = known.get(key);
    if (before !== undefined && before.until > performance.now()) node.acl = before.acl;
    else asked[node.kind].push(node);
  }
  for (let from = 0; from < asked.posix.length; from += MAX_ASKED) {
    const some = asked.posix.slice(from, from + MAX_ASKED);
    const names = some.map((_, index) => "/proc/self/fd/" + (FIRST + index));
    const stdio = ["ignore", "pipe", "pipe", ...some.map(({ fd }) => fd)];
    const lists = listsIn(ofTool("getfacl", spawned(getfacl, [...FLAGS, "--", ...names], { stdio })));
    some.forEach((node, index) => { node.acl = lists.get(names[index]); });
  }
  for (const node of asked.nfs4) {
    const stdio = ["ignore", "pipe", "pipe", node.fd];
    const told = nfs4 && spawned(nfs4, ["/proc/self/fd/" + FIRST], { stdio });
    if (told && told.status === 0) node.acl = told.stdout;
    else node.kind = "closed";
  }
  for (const node of [...asked.posix, ...asked.nfs4]) {
    if (node.kind !== "closed") keep(node.id + " " + node.changed, node.acl);
  }
};

const waysOf = (paths) => {
  const nodes = [];
  const opened = [];
  const places = new Map();
  const open = (path, flags) => {
    const fd = fs.openSync(path, O_PATH | flags);
    opened.push(fd);
    return fd;
  };
  const met = (fd, stats) => {
    const node = { ...factsOf(stats), fd };
    const key = node.id + " " + node.changed;
    const before = places.get(key);
    if (before !== undefined) return before;
    places.set(key, nodes.length);
    return nodes.push(node) - 1;
  };
  const root = () => {
    const fd = open("/", O_DIRECTORY);
    const stats = fs.fstatSync(fd, { bigint: true });
    return { fd, stats, node: met(fd, stats) };
  };
  const start = root();
  const folders = new Map();
  /** One name from a folder: what is there, with what is passed and followed on the way. */
  const step = (at, name, isLast, track) => {
    if ((Number(at.stats.mode) & S_IFMT) !== S_IFDIR) throw Object.assign(new Error(), { code: "ENOTDIR" });
    track.folders.add(at.node);
    const below = "/proc/self/fd/" + at.fd + "/" + name;
    const fd = open(below, O_NOFOLLOW);
    const stats = fs.fstatSync(fd, { bigint: true });
    if ((Number(stats.mode) & S_IFMT) !== S_IFLNK) return { fd, stats, node: met(fd, stats) };
    track.count += 1;
    if (track.count > MAX_LINKS) throw Object.assign(new Error(), { code: "ELOOP" });
    const target = fs.readlinkSync(below);
    if (isLast && guardsLinks && (at.stats.mode & 0o1002n) === 0o1002n) {
      track.links.push({ uid: Number(stats.uid), folderUid: Number(at.stats.uid) });
    }
    return walk(target.startsWith("/") ? start : at, target, isLast, track);
  };
  /** @param isLast whether what the path leads to is the end of all */
  const walk = (from, path, isLast, track) => {
    const names = path.split("/").filter((name) => name !== "");
    let at = from;
    names.forEach((name, index) => { at = step(at, name, isLast && index === names.length - 1, track); });
    return at;
  };
  /** The folder of a path, walked once for all that lies in it. */
  const folderOf = (path) => {
    const before = folders.get(path);
    if (before !== undefined) return before;
    const end = path.lastIndexOf("/");
    const name = path.slice(end + 1);
    let found;
    if (name === "") found = { at: start, folders: new Set(), links: [], count: 0 };
    else {
      const above = folderOf(path.slice(0, end) || "/");
      const track = { folders: new Set(above.folders), links: [], count: above.count };
      if (above.failed) found = above;
      else {
        try { found = { at: step(above.at, name, false, track), ...track }; }
        catch (error) {
          if (!NO_WAY.has(error.code)) throw error;
          found = { failed: true, folders: track.folders, links: [], count: 0 };
        }
      }
    }
    folders.set(path, found);
    return found;
  };
  try {
    const ways = paths.map((path) => {
      const end = path.lastIndexOf("/");
      const name = path.slice(end + 1);
      const above = folderOf(path.slice(0, end) || "/");
      const track = { folders: new Set(above.folders), links: [], count: above.count };
      let last;
      if (!above.failed) {
        try { last = name === "" ? start.node : step(above.at, name, true, track).node; }
        catch (error) { if (!NO_WAY.has(error.code)) throw error; }
      }
      return { folders: [...track.folders], links: track.links, end: last };
    });
    addLists(nodes);
    return { nodes: nodes.map(({ fd, ...node }) => node), ways, entries: [] };
  } finally {
    for (const fd of opened) fs.closeSync(fd);
  }
};

const entriesOf = (paths) => {
  const entries = paths.map((path) => {
    try {
      const stats = fs.lstatSync(path, { bigint: true, throwIfNoEntry: false });
      if (stats === undefined) return "absent";
      return (Number(stats.mode) & S_IFMT) === S_IFLNK ? "link" : factsOf(stats);
    } catch (error) {
      if (NO_WAY.has(error.code)) return "absent";
      throw error;
    }
  });
  const asked = [];
  entries.forEach((entry, index) => {
    if (typeof entry === "string" || entry.kind === "closed") return;
    // What its output could not be told apart by, and what is asked one by one, is asked as a way.
    if (entry.kind === "nfs4" || !/^[A-Za-z0-9/._+,@%:~-]+$/.test(paths[index])) entries[index] = "link";
    else asked.push(index);
  });
  if (asked.length > 0) {
    const input = asked.map((index) => paths[index] + "\\n").join("");
    const told = spawned(getfacl, [...FLAGS, "-"], { input });
    const lists = listsIn(told.stdout);
    // One that has gone meanwhile fails it, but not what it tells of the others.
    const failed = told.status !== 0;
    for (const index of asked) {
      const acl = lists.get(paths[index]);
      if (acl !== undefined) entries[index].acl = acl;
      else if (failed) entries[index] = "link";
    }
  }
  return { nodes: [], ways: [], entries };
};

parentPort.on("message", ({ kind, paths }) => {
  try {
    parentPort.postMessage({ answer: kind === "ways" ? waysOf(paths) : entriesOf(paths) });
  } catch (error) {
    parentPort.postMessage({ failure: String(error.message || error.code || error) });
  }
});`;
