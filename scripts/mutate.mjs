/**
 * npm run mutate: Stryker changes src/query, src/userdata and src/auth in thousands of small ways, and their tests must
 * notice. `npm run mutate -- query` is one room, `npm run mutate -- auth keys shares` some of its files. docs/mutation.md.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const ROOMS = ["query", "userdata", "auth"];
const [room, ...files] = process.argv.slice(2);
if (room !== undefined && !ROOMS.includes(room)) {
  console.error(`There is no such room; there are ${ROOMS.join(", ")}.`);
  process.exit(1);
}
// The same chance for each mutant, so that one that was met is met again.
process.env.SEED ??= "1";
for (const each of room === undefined ? ROOMS : [room]) {
  const mutate = files.map((file) => `src/${each}/${file}.ts`).join(",");
  const { status } = spawnSync(
    process.execPath,
    [
      join("node_modules", "@stryker-mutator", "core", "bin", "stryker.js"),
      ...["run", join("test", "mutation", "stryker.config.mjs")],
      ...(mutate === "" ? [] : ["--mutate", mutate]),
    ],
    { stdio: "inherit", env: { ...process.env, ROOM: each } },
  );
  if (status !== 0) process.exitCode = status ?? 1;
}
