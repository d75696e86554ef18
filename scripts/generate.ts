/**
 * npm run generate: writes the parts of openapi.yaml that follow from the vocabulary, and generated/ from openapi.yaml.
 * With --check it only reports stale files.
 */
import { readFile, writeFile } from "node:fs/promises";
import { packagePath } from "../src/platform/package-root.js";
import { declareFacets } from "./contract/declared-facets.js";
import { run } from "./contract/generate.js";

const check = process.argv.includes("--check");
const contract = await readFile(packagePath("openapi.yaml"), "utf8");
const declared = declareFacets(contract);
const outdated = declared === contract ? [] : ["openapi.yaml"];
if (outdated.length > 0 && !check) await writeFile(packagePath("openapi.yaml"), declared);
const stale = [...outdated, ...(await run(check))];
if (check && stale.length > 0) {
  console.error(`${stale.join(", ")}: stale; run 'npm run generate' and commit.`);
  process.exitCode = 1;
} else {
  console.log(stale.length > 0 ? `wrote ${stale.join(", ")}` : "generated/ is fresh");
}
