/** npm test: runs the tests; arguments select files, as in `npm test -- query`. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const vitest = join("node_modules", "vitest", "vitest.mjs");
const { status } = spawnSync(process.execPath, [vitest, "run", ...process.argv.slice(2)], {
  stdio: "inherit",
});
process.exitCode = status ?? 1;
