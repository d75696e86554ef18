/**
 * The cores of a Solr home. Each is a folder with a file core.properties, and only this file has the core's name. After a
 * swap with the core of another crawler, the core of this service may be in a folder of another name.
 */
import { randomBytes } from "node:crypto";
import { access, readdir, readFile, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { makePrivateFolder, writePrivateFile } from "../../platform/file-system/private-files.js";
import { configsetOf } from "../collections/configset.js";

const PROPERTIES = "core.properties";
/** The properties of a replaced core. */
const FORMER = `${PROPERTIES}.former`;
/** The property with the names of the cores that a core replaces. */
const REPLACES = "replaces";
/** Solr searches at any depth; deeper cores are not expected. */
const MAX_DEPTH = 4;

/** Makes the cores that are missing in a home. */
export async function prepareCores(home: string, names: readonly string[]): Promise<void> {
  await completeReplacement(home);
  const cores = await coresIn(home);
  for (const name of names) {
    const found = cores.flatMap((core) => (core.name === name ? [core.folder] : []));
    if (found.length === 0) await makeCore(await freeFolder(home, name), name);
    else if (found.length > 1) await setAside(found);
  }
}

/** Gives a core the name of others, which it replaces in one step. Solr does not open the others any more. @returns their folders */
export async function replaceCores(
  home: string,
  fresh: string,
  names: readonly [string, ...string[]],
): Promise<readonly string[]> {
  const core = (await coresIn(home)).find(({ name }) => name === fresh);
  if (core === undefined) throw new Error(`${home} has no core ${fresh}`);
  await set(core.folder, { name: names[0], [REPLACES]: names.join(",") });
  return completeReplacement(home);
}

/** @returns the folders of the replaced cores */
async function completeReplacement(home: string): Promise<readonly string[]> {
  const cores = await coresIn(home);
  const fresh = cores.find(({ replaces }) => replaces.length > 0);
  if (fresh === undefined) return [];
  const others = cores.filter((one) => one !== fresh && fresh.replaces.includes(one.name));
  for (const { folder } of others) await rename(join(folder, PROPERTIES), join(folder, FORMER));
  await set(fresh.folder, { [REPLACES]: undefined });
  return others.map(({ folder }) => folder);
}

/** Deletes a core that is not in use. */
export async function removeCore(home: string, name: string): Promise<void> {
  for (const core of await coresIn(home)) {
    if (core.name === name) await rm(core.folder, { recursive: true, force: true });
  }
}

interface Core {
  readonly folder: string;
  readonly name: string;
  readonly replaces: readonly string[];
}

async function coresIn(home: string): Promise<readonly Core[]> {
  const folders = await coreFolders(home, MAX_DEPTH);
  const read = async (folder: string): Promise<Core> => {
    // Solr's default is the name of the folder.
    const name = (await setting(folder, "name")) || basename(folder);
    return { folder, name, replaces: (await setting(folder, REPLACES))?.split(",") ?? [] };
  };
  return Promise.all(folders.map(read));
}

/** The folders of cores below a folder. A core contains no other cores. */
async function coreFolders(folder: string, depth: number): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  if (entries.some(({ name }) => name === PROPERTIES)) return [folder];
  if (depth === 0) return [];
  const below = entries.filter((entry) => entry.isDirectory());
  const found = below.map(({ name }) => coreFolders(join(folder, name), depth - 1));
  return (await Promise.all(found)).flat();
}

/** A value of a core's properties; undefined if it is missing. */
async function setting(folder: string, key: string): Promise<string | undefined> {
  const properties = await readFile(join(folder, PROPERTIES), "utf8");
  const line = properties.split("\n").find((one) => keyOf(one) === key);
  return line?.slice(line.search(/[=:]/) + 1).trim();
}

/** The key of a line of properties: the text before the first `=` or `:`. */
const keyOf = (line: string): string => line.split(/[=:]/, 1)[0]?.trim() ?? "";

/** Changes a core's properties in one step. @param values undefined removes a key */
async function set(
  folder: string,
  values: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const path = join(folder, PROPERTIES);
  const lines = (await readFile(path, "utf8")).split("\n").filter((line) => line.trim() !== "");
  const others = lines.filter((line) => !(keyOf(line) in values));
  const added = Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${value}`],
  );
  await writePrivateFile(path, [...others, ...added, ""].join("\n"));
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
