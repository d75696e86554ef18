/**
 * Writes the hashes of the jars that solr/pom.xml fetches to solr/artifacts.sha256, against which every download is
 * checked, and their Maven coordinates to solr/artifacts.maven, for the SBOM. Run it after a change of solr/pom.xml once
 * Maven's own checks have passed, and review the diff.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "climate-jars-"));
try {
  const pom = new URL("../solr/pom.xml", import.meta.url).pathname;
  const names = join(folder, "names");
  const jars = join(folder, "jars");
  const plugin = /<dependency\.plugin\.version>(.+?)</.exec(readFileSync(pom, "utf8"))?.[1];
  const list = `org.apache.maven.plugins:maven-dependency-plugin:${plugin}:list`;
  const args = ["-B", "-q", "-C", "-f", pom, `-Dlib.directory=${jars}`, "process-resources"];
  const naming = [list, "-DincludeScope=runtime", `-DoutputFile=${names}`];
  const { status } = spawnSync("mvn", [...args, ...naming], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
  const lines = readdirSync(jars)
    .sort()
    .map((name) => {
      const hash = createHash("sha256").update(readFileSync(join(jars, name)));
      return `${hash.digest("hex")}  ${name}\n`;
    });
  writeFileSync(new URL("../solr/artifacts.sha256", import.meta.url), lines.join(""));
  // `group:artifact:jar:version:scope`, with an optional classifier before the version.
  const coordinates = [...readFileSync(names, "utf8").matchAll(/^ +([\w.-]+(?::[\w.-]+){4,5})/gm)]
    .map(([, name]) => `${name.replace(/:[^:]+$/, "")}\n`)
    .sort();
  writeFileSync(new URL("../solr/artifacts.maven", import.meta.url), coordinates.join(""));
  console.log(`${lines.length} jars are recorded.`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
