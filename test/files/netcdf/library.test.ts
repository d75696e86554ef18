/** The example of src/files/netcdf/README.md, as it is written there. */
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { packagePath } from "../../../src/platform/package-root.js";
import { freshFolder } from "../../support/run/folders.js";
import { use } from "../../support/run/use.js";
import { makeFiles } from "../zarr/files.js";

const files = use(() => makeFiles("small"));
const folder = freshFolder();

async function example(path: string): Promise<string> {
  const readme = await readFile(packagePath("src", "files", "netcdf", "README.md"), "utf8");
  const [, code = ""] = /^```ts\n(.*?)^```$/ms.exec(readme) ?? [];
  const library = pathToFileURL(packagePath("src", "files", "netcdf", "index.ts")).href;
  const script = join(folder, "example.mts");
  const text = code.replace('"./index.js"', JSON.stringify(library));
  await writeFile(script, `const path = ${JSON.stringify(path)};\nexport {};\n${text}`);
  const args = ["--import", import.meta.resolve("tsx"), script];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args);
  return stdout + stderr;
}

it("reads the attributes, the variables and the values of a file", async () => {
  const told = await example(files.path("small_new.nc"));
  expect(told).toMatch(/^\w+ \w+.* plain$/m);
  expect(told).toMatch(/^[1-9]\d* bytes$/m);
});
