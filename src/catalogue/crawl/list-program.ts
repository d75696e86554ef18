/**
 * What the threads run that ask the file system for a crawl. Text, as a thread must find plain JavaScript whether this
 * file runs compiled or straight from TypeScript, as it does in tests.
 *
 * Calls that wait in their own thread take a tenth of the time that Node's promises take, and a mount that hangs has
 * such a thread, not one of the few that all of the process shares.
 */
import { STORE_MARKS } from "../../files/zarr/store/format.js";
import { GRIB_NAME, READABLE_NAME } from "./found-file.js";

export const THREAD = `
const { parentPort } = require("node:worker_threads");
const { isUtf8 } = require("node:buffer");
const { closeSync, lstatSync, opendirSync, realpathSync, statSync } = require("node:fs");
const { join } = require("node:path");
/** Names that make a folder a zarr store; they are hidden, and looked at all the same. */
const MARKERS = new Set(${JSON.stringify(STORE_MARKS)});
const isData = (name) => ${READABLE_NAME}.test(name) || ${GRIB_NAME}.test(name);
/** Milliseconds between two signs of life. */
const BEAT = 1000;
let lastBeat = 0;
const beat = () => {
  const now = Date.now();
  if (now - lastBeat < BEAT) return;
  lastBeat = now;
  parentPort.postMessage({ beat: true });
};
const codeOf = (error) => String((error && error.code) || error);
const statsOf = (stats) => ({
  size: Number(stats.size),
  modified: Number(stats.mtimeMs),
  inode: String(stats.ino),
});
const missing = (error) => error.code === "ENOENT" || error.code === "ENOTDIR";

/** The folder that is being listed. */
let listed;
const entryOf = (dirent, path, measured) => {
  const bytes = dirent.name;
  if (!isUtf8(bytes)) return { name: bytes.toString("latin1"), kind: "no-text" };
  const name = bytes.toString("utf8");
  if (MARKERS.has(name)) listed.markers.push(name);
  if (name.startsWith(".")) return undefined;
  const whole = join(path, name);
  try {
    if (dirent.isDirectory()) return { name, kind: "folder" };
    if (dirent.isSymbolicLink()) {
      const stats = statSync(whole, { bigint: true });
      if (stats.isDirectory()) return { name, kind: "link", real: realpathSync.native(whole) };
      if (!isData(name)) return undefined;
      if (!stats.isFile()) return { name, kind: "no-file" };
      return { name, kind: "file", real: realpathSync.native(whole), ...statsOf(stats) };
    }
    if (!isData(name)) return undefined;
    if (!dirent.isFile()) return { name, kind: "no-file" };
    if (!measured) return { name, kind: "file", size: 0, modified: 0, inode: "" };
    return { name, kind: "file", ...statsOf(lstatSync(whole, { bigint: true })) };
  } catch (error) {
    // A file that has gone since its folder was read is none; a link that leads nowhere is told.
    if (missing(error) && !dirent.isSymbolicLink()) return undefined;
    return { name, kind: "unreadable", code: codeOf(error), isLink: dirent.isSymbolicLink() };
  }
};
const portion = ({ most, measured }) => {
  const entries = [];
  while (entries.length < most) {
    beat();
    const dirent = listed.folder.readSync();
    if (dirent === null) {
      listed.folder.closeSync();
      listed.folder = undefined;
      return { entries, markers: listed.markers, done: true };
    }
    const entry = entryOf(dirent, listed.path, measured);
    listed.isEmpty &&= dirent.name[0] === 46;
    if (entry !== undefined) entries.push(entry);
  }
  return { entries, markers: listed.markers, done: false };
};
const list = (question) => {
  if (listed && listed.folder) listed.folder.closeSync();
  const folder = opendirSync(question.path, { encoding: "buffer", bufferSize: 1024 });
  listed = { path: question.path, folder, markers: [], isEmpty: true };
  const first = portion(question);
  if (!first.done) {
    // In a folder of millions they may come last.
    for (const name of MARKERS) {
      try {
        lstatSync(join(question.path, name));
        first.markers.push(name);
      } catch {}
    }
  }
  return first;
};

/** Bytes and newest time of all files in a folder. */
const measure = (path) => {
  let size = 0;
  let modified = 0;
  const walk = (folder) => {
    const entries = opendirSync(folder, { encoding: "buffer", bufferSize: 1024 });
    const folders = [];
    try {
      for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) {
        beat();
        const whole = Buffer.concat([folder, Buffer.from("/"), entry.name]);
        if (entry.isDirectory()) {
          folders.push(whole);
          continue;
        }
        let stats;
        try {
          stats = statSync(whole, { bigint: true });
        } catch (error) {
          if (missing(error)) continue;
          throw error;
        }
        if (!stats.isFile()) continue;
        size += Number(stats.size);
        modified = Math.max(modified, Number(stats.mtimeMs));
      }
    } finally {
      entries.closeSync();
    }
    for (const one of folders) walk(one);
  };
  walk(Buffer.from(path));
  const own = statSync(path, { bigint: true });
  return { size, modified: modified || Number(own.mtimeMs), inode: String(own.ino) };
};

const look = (path, isLink) => {
  beat();
  try {
    const stats = (isLink ? lstatSync : statSync)(path, { bigint: true });
    const kind = stats.isDirectory() ? "folder" : stats.isFile() ? "file" : "other";
    return { kind, ...statsOf(stats) };
  } catch (error) {
    return { code: codeOf(error) };
  }
};

const answers = {
  list,
  more: portion,
  close: () => {
    if (listed && listed.folder) listed.folder.closeSync();
    listed = undefined;
  },
  measure: ({ path }) => measure(path),
  look: ({ paths, isLink }) => paths.map((path) => look(path, isLink)),
  real: ({ path }) => realpathSync.native(path),
};
parentPort.on("message", (question) => {
  lastBeat = Date.now();
  try {
    const answer = answers[question.kind](question);
    const isEmpty = listed !== undefined && listed.isEmpty;
    parentPort.postMessage({ answer, isEmpty });
  } catch (error) {
    parentPort.postMessage({ code: codeOf(error) });
  }
});
`;
