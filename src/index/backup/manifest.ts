/** What a backup is of: written last, so that a folder without it is no backup, and held against its files before they are used. */
import { createHash } from "node:crypto";
import { open, readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { z } from "zod";
import { writePrivateFile } from "../../platform/private-files.js";
import { SetupError } from "../collections/setup-error.js";

const NAME = "backup.json";

/** What kind of Solr it was made of; what each writes, only its like reads. */
export const KINDS = { embedded: "the embedded Solr", single: "one Solr", cloud: "a SolrCloud" };
export type Kind = keyof typeof KINDS;

const manifest = z.object({
  format: z.literal(1),
  /** When it was begun. */
  made: z.iso.datetime(),
  release: z.string(),
  /** Of the index. */
  generation: z.int(),
  solr: z.enum(["embedded", "single", "cloud"]),
  /** By name: what it is really called, and how many documents it had. */
  collections: z.record(
    z.string(),
    z.object({ real: z.string(), documents: z.int(), replicas: z.int().optional() }),
  ),
  files: z.array(z.object({ path: z.string(), bytes: z.int(), sha256: z.string() })),
});

export type Manifest = z.infer<typeof manifest>;

/** Writes it, about all files that a folder has. They are brought to disk and read once for that. */
export async function writeManifest(
  folder: string,
  facts: Omit<Manifest, "format" | "files">,
): Promise<Manifest> {
  const files: Manifest["files"] = [];
  for (const path of await filesBelow(folder)) files.push(await lookAt(folder, path));
  const whole: Manifest = { format: 1, ...facts, files };
  await writePrivateFile(join(folder, NAME), `${JSON.stringify(whole, null, 1)}\n`);
  return whole;
}

/** @throws SetupError where there is no backup, or one that was broken off */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, NAME), "utf8").catch((cause) => {
    throw new SetupError(
      `${folder} holds no whole backup: it has no ${NAME}, which is written last.`,
      { cause },
    );
  });
  try {
    return manifest.parse(JSON.parse(text));
  } catch (cause) {
    throw new SetupError(`${join(folder, NAME)} is damaged, or of a later release.`, { cause });
  }
}

/** @throws SetupError that names the first file which is missing, or is not what was written */
export async function verifyFiles(folder: string, { files }: Manifest): Promise<void> {
  for (const file of files) {
    const found = await lookAt(folder, file.path).catch((cause) => {
      throw damaged(folder, file.path, "cannot be read", cause);
    });
    if (found.bytes !== file.bytes) {
      throw damaged(folder, file.path, `has ${found.bytes} bytes and not ${file.bytes}`);
    }
    if (found.sha256 !== file.sha256) throw damaged(folder, file.path, "is not what was written");
  }
}

function damaged(folder: string, path: string, how: string, cause?: unknown): SetupError {
  return new SetupError(
    `The backup in ${folder} is damaged: ${path} ${how}. Nothing was changed.`,
    { cause },
  );
}

/** All files of a folder and those below it, as paths from there, in order. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

async function lookAt(folder: string, path: string): Promise<Manifest["files"][number]> {
  const file = await open(join(folder, path), "r");
  try {
    await file.sync();
    const hash = createHash("sha256");
    let bytes = 0;
    for await (const piece of file.createReadStream({ autoClose: false, highWaterMark: 1 << 20 })) {
      hash.update(piece);
      bytes += piece.length;
    }
    return { path, bytes, sha256: hash.digest("hex") };
  } finally {
    await file.close();
  }
}
