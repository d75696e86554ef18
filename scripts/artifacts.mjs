/**
 * Records the hashes of the jars that solr/pom.xml fetches, in solr/artifacts.sha256, against which every download is
 * held. To be run when solr/pom.xml changes, where Maven's own checks have passed; what changes is to be read.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "climate-jars-"));
try {
  const pom = new URL("../solr/pom.xml", import.meta.url).pathname;
  const args = ["-B", "-q", "-C", "-f", pom, `-Dlib.directory=${folder}`, "process-resources"];
  const { status } = spawnSync("mvn", args, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
  const lines = readdirSync(folder)
    .sort()
    .map((name) => {
      const hash = createHash("sha256").update(readFileSync(join(folder, name)));
      return `${hash.digest("hex")}  ${name}\n`;
    });
  writeFileSync(new URL("../solr/artifacts.sha256", import.meta.url), lines.join(""));
  console.log(`${lines.length} jars are recorded.`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
