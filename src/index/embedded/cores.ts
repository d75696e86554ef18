/**
 * The cores of a Solr home. Each is a folder with a file core.properties, and only this file has the core's name. After a
 * swap with the core of another crawler, the core of this service may be in a folder of another name.
 */
import { randomBytes } from "node:crypto";
import { access, readdir, readFile, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { makePrivateFolder, writePrivateFile } from "../../platform/file-system/private-files.js";
import { configsetOf, FILES } from "../collections/configset.js";
import { upgradeOf } from "./upgrade-core.js";

const PROPERTIES = "core.properties";
/** Solr searches at any depth; deeper cores are not expected. */
const MAX_DEPTH = 4;

/** Makes the cores that are missing in a home. */
export async function prepareCores(home: string, names: readonly string[]): Promise<void> {
  const folders = await coreFolders(home, MAX_DEPTH);
  for (const folder of folders) await adopt(folder);
  const cores = await completeSwaps(
    await Promise.all(folders.map(async (folder) => ({ folder, name: await coreName(folder) }))),
  );
  for (const name of names) {
    const found = cores.flatMap((core) => (core.name === name ? [core.folder] : []));
    if (found.length === 0) await makeCore(await freeFolder(home, name), name);
    else if (found.length > 1) await setAside(found);
  }
}

/**
 * Makes a core of an upgrade use the release's configset, like all others. It was made for a running Solr, with a
 * configset of its own.
 */
async function adopt(folder: string): Promise<void> {
  const made = upgradeOf(basename(folder));
  if (made === undefined || (await setting(folder, "configSet")) !== undefined) return;
  await set(folder, "configSet", configsetOf(made.name));
  await rm(join(folder, "conf"), { recursive: true, force: true });
}

interface Core {
  readonly folder: string;
  readonly name: string;
}

/**
 * Completes interrupted swaps. Solr writes the names of two swapped cores one after the other. If it is killed in
 * between, both have the same name. A swap starts only when the new core is complete, so it can always be completed.
 */
async function completeSwaps(cores: readonly Core[]): Promise<readonly Core[]> {
  const named = new Map(cores.map(({ folder, name }) => [folder, name]));
  for (const [folder, unnamed] of named) {
    // Solr was killed while it wrote the file. The core has the one name that no other core has.
    const made = upgradeOf(unnamed);
    if (made === undefined) continue;
    const isFree = ![...named.values()].includes(made.name);
    named.set(folder, isFree ? made.name : `${made.name}_upgrade`);
    await set(folder, "name", named.get(folder) as string);
  }
  for (const twice of [FILES, `${FILES}_upgrade`]) {
    const both = [...named].flatMap(([folder, one]) => (one === twice ? [folder] : []));
    const [fresh, ...others] = both
      .filter((folder) => upgradeOf(basename(folder))?.name === FILES)
      .sort((a, b) => generationOf(b) - generationOf(a));
    const former = both.find((folder) => folder !== fresh);
    if (fresh === undefined || former === undefined || others.length > 1) continue;
    for (const [folder, now] of [
      [fresh, FILES],
      [former, `${FILES}_upgrade`],
    ] as const) {
      await set(folder, "name", now);
      if ((await setting(folder, "configSet")) === undefined) {
        await set(folder, "configSet", configsetOf(now));
      }
      named.set(folder, now);
    }
  }
  return [...named].map(([folder, name]) => ({ folder, name }));
}

const generationOf = (folder: string): number => upgradeOf(basename(folder))?.generation ?? 0;

/** The folders of cores below a folder. A core contains no other cores. */
async function coreFolders(folder: string, depth: number): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  if (entries.some(({ name }) => name === PROPERTIES)) return [folder];
  if (depth === 0) return [];
  const below = entries.filter((entry) => entry.isDirectory());
  const found = below.map(({ name }) => coreFolders(join(folder, name), depth - 1));
  return (await Promise.all(found)).flat();
}

/** The name of a core: by default that of its folder, as in Solr. */
async function coreName(folder: string): Promise<string> {
  return (await setting(folder, "name")) || basename(folder);
}

/** A value of a core's properties; undefined if it is missing. */
async function setting(folder: string, key: string): Promise<string | undefined> {
  const properties = await readFile(join(folder, PROPERTIES), "utf8");
  const line = properties.split("\n").find((one) => keyOf(one) === key);
  return line?.slice(line.search(/[=:]/) + 1).trim();
}

/** The key of a line of properties: the text before the first `=` or `:`. */
const keyOf = (line: string): string => line.split(/[=:]/, 1)[0]?.trim() ?? "";

async function set(folder: string, key: string, value: string): Promise<void> {
  const path = join(folder, PROPERTIES);
  const lines = (await readFile(path, "utf8")).split("\n").filter((line) => line.trim() !== "");
  const others = lines.filter((line) => keyOf(line) !== key);
  await writePrivateFile(path, [...others, `${key}=${value}`, ""].join("\n"));
}

/** A free folder for a core: with its name, or with a suffix if that folder is in use. */
async function freeFolder(home: string, name: string): Promise<string> {
  const folder = join(home, name);
  const isTaken = await Promise.all(
    [PROPERTIES, "data"].map((entry) => exists(join(folder, entry))),
  );
  if (!isTaken.includes(true)) return folder;
  return join(home, `${name}_${randomBytes(4).toString("hex")}`);
}

async function makeCore(folder: string, name: string): Promise<void> {
  await makePrivateFolder(folder);
  // The configset is read in place (solr.xml). The seed makes the ETags of this core unique.
  const seed = randomBytes(9).toString("hex");
  const lines = [`name=${name}`, `configSet=${configsetOf(name)}`, `etag.seed=${seed}`, ""];
  await writePrivateFile(join(folder, PROPERTIES), lines.join("\n"));
}

/** Solr does not start with several cores of one name. Sets those aside that were never written to. */
async function setAside(folders: readonly string[]): Promise<void> {
  const used = await Promise.all(folders.map((folder) => exists(join(folder, "data", "index"))));
  if (!used.includes(true)) return;
  for (const [at, folder] of folders.entries()) {
    const properties = join(folder, PROPERTIES);
    if (!used[at]) await rename(properties, `${properties}.unused`);
  }
}

/** Whether anything lies at a path. */
export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
