/** npm run generate: openapi.yaml -> generated/; with --check it only tells what is stale. */
import { run } from "./contract/generate.js";

const check = process.argv.includes("--check");
const stale = await run(check);
if (check && stale.length > 0) {
  console.error(`generated/ is stale (${stale.join(", ")}): run 'npm run generate' and commit.`);
  process.exitCode = 1;
} else {
  console.log(stale.length > 0 ? `wrote ${stale.join(", ")}` : "generated/ is fresh");
}
