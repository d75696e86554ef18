/** Solr's jars, when they are not what was recorded. */
import { appendFile, cp, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { verifyArtifacts } from "../../../src/index/embedded/artifacts.js";
import { solrJars } from "../../../src/index/embedded/download.js";
import { freshFolder } from "../../support/run/folders.js";

let folder: string;
beforeEach(async () => {
  folder = freshFolder();
  await cp(solrJars(), folder, { recursive: true });
  // What says that the folder is complete comes after the check.
  await rm(join(folder, ".complete"));
});

it("records those that Solr runs with", async () => {
  await verifyArtifacts(folder);
});

it("refuses one with another byte, by its name", async () => {
  const [jar = ""] = (await readdir(folder)).filter((name) => name.startsWith("solr-core"));
  await appendFile(join(folder, jar), "\0");
  await expect(verifyArtifacts(folder)).rejects.toThrow(jar);
});

it("refuses one that is not recorded", async () => {
  await writeFile(join(folder, "more.jar"), "");
  await expect(verifyArtifacts(folder)).rejects.toThrow("more.jar");
});

it("notices one that is missing", async () => {
  await rm(join(folder, "lucene-core-9.12.3.jar"));
  await expect(verifyArtifacts(folder)).rejects.toThrow("lucene-core-9.12.3.jar");
});
