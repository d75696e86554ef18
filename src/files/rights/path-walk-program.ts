/**
 * Walks paths and reads rights; see Ways.
 *
 * A path is walked as the kernel does it, but each step goes from the descriptor of the folder before: the reported facts are
 * those of the folders that were passed, even if a folder is moved or replaced by a link meanwhile. The descriptors are opened
 * with O_PATH, which needs no right to read. getfacl gets them as /proc/self/fd/N, so no name can change between check and use.
 * Only entries of lists are read by name: their facts give away names and nothing else.
 */
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
} from "node:fs";
import { unlessAbsent } from "../../platform/file-system/file-stats.js";
import { answerQuestions, programData } from "../../platform/workers/worker-program.js";
import { ListTools, type OpenNode } from "./list-tools.js";
import { isFolder, isLink, type NodeDraft, NodeFacts } from "./node-facts.js";
import type { Entry, OpenLink, PathFacts, Question, WalkSetup, Way } from "./path-nodes.js";

/** Linux, include/uapi/asm-generic/fcntl.h; Node has no name for it. */
const O_PATH = 0o10000000;
const { O_NOFOLLOW, O_DIRECTORY } = constants;
/** Links on one path, as MAXSYMLINKS of Linux. */
const MAX_LINKS = 40;
/** A folder in which everybody may write, with the sticky bit. */
const OPEN_FOLDER = 0o1002n;

const setup = programData<WalkSetup>();
const facts = new NodeFacts(setup.ttl);
const tools = new ListTools(setup);
const guardsLinks = areLinksGuarded();

/** Whether fs.protected_symlinks is set; if that is unknown, it counts as set. */
function areLinksGuarded(): boolean {
  try {
    return readFileSync("/proc/sys/fs/protected_symlinks", "utf8").trim() !== "0";
  } catch {
    return true;
  }
}

const failure = (code: string): Error => Object.assign(new Error(code), { code });

interface Opened {
  readonly fd: number;
  readonly stats: BigIntStats;
}

/** An opened file or folder on a path. */
interface Step extends Opened {
  readonly node: NodeDraft;
}

/** The folders and links that the walk of one path has passed. */
interface Track {
  readonly folders: Set<NodeDraft>;
  readonly links: OpenLink[];
  linkCount: number;
}

/** A path; `step` is undefined if nobody can reach its end. */
interface WalkedPath extends Track {
  readonly step: Step | undefined;
}

/** Walks the paths of one question; its descriptors stay open until the lists are read. */
class Walker {
  /** Each file or folder once, as first opened. */
  readonly nodes = new Map<string, OpenNode>();
  readonly #opened: number[] = [];
  readonly #folders = new Map<string, WalkedPath>();
  readonly #root: Step;

  constructor() {
    this.#root = this.#stepTo(this.#open("/", O_DIRECTORY));
  }

  way(path: string): Way {
    const { folders, links, step } = this.#walk(path, true);
    return { folders: [...folders], links, end: step?.node };
  }

  close(): void {
    for (const fd of this.#opened) closeSync(fd);
  }

  /** The folder of a path, walked once for all paths below it. */
  #folder(path: string): WalkedPath {
    const known = this.#folders.get(path);
    if (known !== undefined) return known;
    const walked = this.#walk(path, false);
    this.#folders.set(path, walked);
    return walked;
  }

  /** @param isLast whether the path is one that was requested, not only a folder on it */
  #walk(path: string, isLast: boolean): WalkedPath {
    const end = path.lastIndexOf("/");
    const name = path.slice(end + 1);
    if (name === "") return { step: this.#root, folders: new Set(), links: [], linkCount: 0 };
    const above = this.#folder(path.slice(0, end) || "/");
    const from = above.step;
    const track: Track = { ...above, folders: new Set(above.folders), links: [] };
    const step = from && unlessAbsent(() => this.#step(from, name, isLast, track));
    return { ...track, step };
  }

  /** Looks up one name in a folder and follows it if it is a link. @throws an error of the file system, or one with its code */
  #step(from: Step, name: string, isLast: boolean, track: Track): Step {
    if (!isFolder(from.stats)) throw failure("ENOTDIR");
    track.folders.add(from.node);
    const path = `/proc/self/fd/${from.fd}/${name}`;
    const opened = this.#open(path, O_NOFOLLOW);
    const { stats } = opened;
    if (!isLink(stats)) return this.#stepTo(opened);
    track.linkCount += 1;
    if (track.linkCount > MAX_LINKS) throw failure("ELOOP");
    const target = readlinkSync(path);
    if (isLast && guardsLinks && (from.stats.mode & OPEN_FOLDER) === OPEN_FOLDER) {
      track.links.push({ uid: Number(stats.uid), folderUid: Number(from.stats.uid) });
    }
    return this.#follow(target.startsWith("/") ? this.#root : from, target, isLast, track);
  }

  /** @param isLast whether the link is the end of the path that was requested */
  #follow(from: Step, target: string, isLast: boolean, track: Track): Step {
    const names = target.split("/").filter((name) => name !== "");
    let at = from;
    for (const [index, name] of names.entries()) {
      at = this.#step(at, name, isLast && index === names.length - 1, track);
    }
    return at;
  }

  #open(path: string, flags: number): Opened {
    const fd = openSync(path, O_PATH | flags);
    this.#opened.push(fd);
    return { fd, stats: fstatSync(fd, { bigint: true }) };
  }

  #stepTo({ fd, stats }: Opened): Step {
    const node = facts.of(stats);
    const key = `${node.id} ${node.changed}`;
    const first = this.nodes.get(key) ?? { node, fd };
    this.nodes.set(key, first);
    return { fd, stats, node: first.node };
  }
}

function waysOf(paths: readonly string[]): PathFacts {
  const walker = new Walker();
  try {
    const ways = paths.map((path) => walker.way(path));
    tools.addLists([...walker.nodes.values()]);
    return { ways, entries: [] };
  } finally {
    walker.close();
  }
}

function entryOf(path: string): Entry {
  const stats = unlessAbsent(() => lstatSync(path, { bigint: true, throwIfNoEntry: false }));
  if (stats === undefined) return "absent";
  if (isLink(stats)) return "link";
  const node = facts.of(stats);
  // Lists of NFSv4 are read one by one, and getfacl escapes other characters: such a path is walked as a way.
  const isListable = node.kind === "posix" && /^[A-Za-z0-9/._+,@%:~-]+$/.test(path);
  return isListable || node.kind === "closed" ? node : "link";
}

function entriesOf(paths: readonly string[]): PathFacts {
  const entries = paths.map(entryOf);
  const isListed = (entry: Entry): entry is Exclude<Entry, string> =>
    typeof entry !== "string" && entry.kind === "posix";
  const listed = paths.filter((_, index) => isListed(entries[index] ?? "absent"));
  if (listed.length === 0) return { ways: [], entries };
  const { lists, isWhole } = tools.listsByPath(listed);
  const withLists = entries.map((entry, index): Entry => {
    if (!isListed(entry)) return entry;
    const acl = lists.get(paths[index] ?? "");
    if (acl !== undefined) return { ...entry, acl };
    // getfacl writes nothing of a file without a list, nor of one that vanished.
    return isWhole ? entry : "link";
  });
  return { ways: [], entries: withLists };
}

answerQuestions(({ kind, paths }: Question) =>
  kind === "ways" ? waysOf(paths) : entriesOf(paths),
);
