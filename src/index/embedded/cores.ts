/**
 * The cores of a Solr home. Each is a folder with a file core.properties, and only that says its name: a crawler that
 * loads into a core of its own and swaps it with ours leaves ours in a folder of another name, or takes that away.
 */
import { randomBytes } from "node:crypto";
import { access, readdir, readFile, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { makePrivateFolder, writePrivateFile } from "../../platform/private-files.js";
import { CATALOGUE, configsetOf } from "../collections/configset.js";
import { upgradeOf } from "./upgrade-core.js";

const PROPERTIES = "core.properties";
/** Solr looks at any depth; nobody puts cores deeper. */
const MAX_DEPTH = 4;

/** Makes the cores that a home has in no folder. */
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
 * A core that an upgrade has made beside a running Solr has a configset of its own. From its next start on it reads that
 * of the release, as all others.
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
 * Solr writes the names of two cores that are swapped one after the other, and may be killed in between: then both have
 * the same. The swap was asked for once the new core was complete, so it is completed.
 */
async function completeSwaps(cores: readonly Core[]): Promise<readonly Core[]> {
  const named = new Map(cores.map(({ folder, name }) => [folder, name]));
  for (const [folder, unnamed] of named) {
    // Killed while it wrote the file: the name is the one that nothing else has.
    const made = upgradeOf(unnamed);
    if (made === undefined) continue;
    const isFree = ![...named.values()].includes(made.name);
    named.set(folder, isFree ? made.name : `${made.name}_upgrade`);
    await set(folder, "name", named.get(folder) as string);
  }
  for (const name of CATALOGUE) {
    for (const twice of [name, `${name}_upgrade`]) {
      const both = [...named].flatMap(([folder, one]) => (one === twice ? [folder] : []));
      const [fresh, ...others] = both
        .filter((folder) => upgradeOf(basename(folder))?.name === name)
        .sort((a, b) => generationOf(b) - generationOf(a));
      const former = both.find((folder) => folder !== fresh);
      if (fresh === undefined || former === undefined || others.length > 1) continue;
      for (const [folder, now] of [
        [fresh, name],
        [former, `${name}_upgrade`],
      ] as const) {
        await set(folder, "name", now);
        if ((await setting(folder, "configSet")) === undefined) {
          await set(folder, "configSet", configsetOf(name));
        }
        named.set(folder, now);
      }
    }
  }
  return [...named].map(([folder, name]) => ({ folder, name }));
}

const generationOf = (folder: string): number => upgradeOf(basename(folder))?.generation ?? 0;

/** The folders below one that are cores; there are none inside of a core. */
async function coreFolders(folder: string, depth: number): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  if (entries.some(({ name }) => name === PROPERTIES)) return [folder];
  if (depth === 0) return [];
  const below = entries.filter((entry) => entry.isDirectory());
  const found = below.map(({ name }) => coreFolders(join(folder, name), depth - 1));
  return (await Promise.all(found)).flat();
}

/** A core that does not say its name has that of its folder, as in Solr. */
async function coreName(folder: string): Promise<string> {
  return (await setting(folder, "name")) || basename(folder);
}

/** A line of a core's properties; undefined where there is none. */
async function setting(folder: string, key: string): Promise<string | undefined> {
  const properties = await readFile(join(folder, PROPERTIES), "utf8");
  const line = properties.split("\n").find((one) => keyOf(one) === key);
  return line?.slice(line.search(/[=:]/) + 1).trim();
}

/** What a line of properties is about: up to the first `=` or `:`. */
const keyOf = (line: string): string => line.split(/[=:]/, 1)[0]?.trim() ?? "";

async function set(folder: string, key: string, value: string): Promise<void> {
  const path = join(folder, PROPERTIES);
  const lines = (await readFile(path, "utf8")).split("\n").filter((line) => line.trim() !== "");
  const others = lines.filter((line) => keyOf(line) !== key);
  await writePrivateFile(path, [...others, `${key}=${value}`, ""].join("\n"));
}

/** A folder of the core's name, or one that is called like it where there is something in that. */
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
  // The configset is read where it lies (solr.xml); the seed makes this core's ETags its own.
  const seed = randomBytes(9).toString("hex");
  const lines = [`name=${name}`, `configSet=${configsetOf(name)}`, `etag.seed=${seed}`, ""];
  await writePrivateFile(join(folder, PROPERTIES), lines.join("\n"));
}

/** Of several cores of one name, with which Solr does not start, those go that were never written to. */
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
