/**
 * The cores of a Solr home. Each is a folder with a file core.properties, and only that says its name: a crawler that
 * loads into a core of its own and swaps it with ours leaves ours in a folder of another name, or takes that away.
 */
import { randomBytes } from "node:crypto";
import { access, readdir, readFile, rename } from "node:fs/promises";
import { basename, join } from "node:path";
import { makePrivateFolder, writePrivateFile } from "../../private-files.js";
import { configsetOf } from "../configset.js";

const PROPERTIES = "core.properties";
/** Solr looks at any depth; nobody puts cores deeper. */
const MAX_DEPTH = 4;

/** Makes the cores that a home has in no folder. */
export async function prepareCores(home: string, names: readonly string[]): Promise<void> {
  const folders = await coreFolders(home, MAX_DEPTH);
  const named = await Promise.all(folders.map(async (folder) => [await coreName(folder), folder]));
  for (const name of names) {
    const found = named.flatMap(([one, folder = ""]) => (one === name ? [folder] : []));
    if (found.length === 0) await makeCore(await freeFolder(home, name), name);
    else if (found.length > 1) await setAside(found);
  }
}

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
  const properties = await readFile(join(folder, PROPERTIES), "utf8");
  const lines = properties.split("\n").map((line) => line.trim());
  const said = lines.find((line) => /^name[ \t]*[=:]/.test(line))?.replace(/^name[ \t]*[=:]/, "");
  return said?.trim() || basename(folder);
}

/** A folder of the core's name, or one that is called like it where another core has that. */
async function freeFolder(home: string, name: string): Promise<string> {
  const folder = join(home, name);
  if (!(await exists(join(folder, PROPERTIES)))) return folder;
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

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
