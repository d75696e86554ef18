/** Compiles src and generated into dist. Needs the development dependencies only. */
import { spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const compiler = join(root, "node_modules", "typescript7", "bin", "tsc");
const { status } = spawnSync(process.execPath, [compiler, "-p", "tsconfig.build.json"], {
  cwd: root,
  stdio: "inherit",
});
if (status !== 0) process.exit(status ?? 1);
// The compiler writes files that cannot be run, and npx makes the command of a folder runnable only the first time.
chmodSync(join(root, "dist", "src", "main.js"), 0o755);
