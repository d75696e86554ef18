/** The state of the contract and of the programs for which all generators were tried last, in sdk/tried.json. */
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { packagePath } from "../src/platform/package-root.js";

const RECORD = packagePath("sdk", "tried.json");

/** SHA-256 of everything that a client is made of: the documents, the programs, and the versions and commands of generators. */
export async function digestOfInputs(): Promise<string> {
  const folders = ["clients", "tools"].map((name) => join("sdk", name));
  const below = folders.map(async (folder) => {
    const entries = await readdir(packagePath(folder), { recursive: true, withFileTypes: true });
    return entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  });
  const documents = ["openapi.yaml", "generated/openapi-3.0.json"];
  const own = ["sdk/generators.ts", "sdk/tools.ts"];
  const files = [...documents, ...own].map((name) => packagePath(name));
  const hash = createHash("sha256");
  for (const file of [...files, ...(await Promise.all(below)).flat().sort()]) {
    hash.update(
      createHash("sha256")
        .update(await readFile(file))
        .digest(),
    );
  }
  return hash.digest("hex");
}

/** Whether all generators passed with the present state. */
export async function isTried(): Promise<boolean> {
  const { inputs } = JSON.parse(await readFile(RECORD, "utf8")) as { inputs: string };
  return inputs === (await digestOfInputs());
}

/** Records that all generators passed. @param inputs the digest from before they began */
export async function recordTried(inputs: string): Promise<void> {
  await writeFile(RECORD, `${JSON.stringify({ inputs }, null, 2)}\n`);
}
