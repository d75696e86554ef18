/** The manifest of a backup. It is written last, so a folder without it is incomplete, and it verifies the files before a restore. */
import { createHash } from "node:crypto";
import { open, readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { z } from "zod";
import { writePrivateFile } from "../../platform/file-system/private-files.js";
import { SetupError } from "../collections/setup-error.js";

const NAME = "backup.json";

/** Kinds of Solr. A backup can only be restored to the kind that wrote it. */
export const KINDS = { embedded: "the embedded Solr", single: "one Solr", cloud: "a SolrCloud" };
export type Kind = keyof typeof KINDS;

const manifest = z.object({
  format: z.literal(1),
  /** Time at which the backup began. */
  made: z.iso.datetime(),
  release: z.string(),
  /** Generation of the index layout. */
  generation: z.int(),
  solr: z.enum(["embedded", "single", "cloud"]),
  /** By name: the real name, and the number of documents before Solr wrote its part; after it too, if that is another one. */
  collections: z.record(
    z.string(),
    z.object({
      real: z.string(),
      documents: z.int(),
      documentsAfter: z.int().optional(),
      replicas: z.int().optional(),
    }),
  ),
  files: z.array(z.object({ path: z.string(), bytes: z.int(), sha256: z.string() })),
});

export type Manifest = z.infer<typeof manifest>;

/** Writes the manifest of all files in a folder. Syncs each file to disk and reads it once. */
export async function writeManifest(
  folder: string,
  facts: Omit<Manifest, "format" | "files">,
): Promise<Manifest> {
  const files: Manifest["files"] = [];
  for (const path of await filesBelow(folder)) files.push(await checksum(folder, path));
  const whole: Manifest = { format: 1, ...facts, files };
  await writePrivateFile(join(folder, NAME), `${JSON.stringify(whole, null, 1)}\n`);
  return whole;
}

/** @throws SetupError if there is no complete backup */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, NAME), "utf8").catch((cause) => {
    throw new SetupError(
      `${folder} holds no complete backup: ${NAME}, which is written last, is missing.`,
      { cause },
    );
  });
  try {
    return manifest.parse(JSON.parse(text));
  } catch (cause) {
    throw new SetupError(`${join(folder, NAME)} is damaged or of a later release.`, { cause });
  }
}

/** @throws SetupError for the first file that is missing or was changed */
export async function verifyFiles(folder: string, { files }: Manifest): Promise<void> {
  for (const file of files) {
    const found = await checksum(folder, file.path).catch((cause) => {
      throw damaged(folder, file.path, "cannot be read", cause);
    });
    if (found.bytes !== file.bytes) {
      throw damaged(folder, file.path, `has ${found.bytes} bytes instead of ${file.bytes}`);
    }
    if (found.sha256 !== file.sha256) throw damaged(folder, file.path, "has another checksum");
  }
}

function damaged(folder: string, path: string, how: string, cause?: unknown): SetupError {
  return new SetupError(
    `The backup in ${folder} is damaged: ${path} ${how}. Nothing was changed.`,
    { cause },
  );
}

/** Relative paths of all files below a folder, sorted. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

async function checksum(folder: string, path: string): Promise<Manifest["files"][number]> {
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
