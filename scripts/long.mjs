/**
 * npm run test:long: runs attacks, kills and comparisons with full repetitions; npm test has a short form of them. These
 * are the test files that use `attempts` or `patience`, or import a file that does. Arguments select among them.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

process.env.LONG = "1";
const text = (path) => readFileSync(path, "utf8");
const asks = (path) => text(path).includes("support/attempts.js");
/** The helper files of a test file. */
const besides = (path) =>
  [...text(path).matchAll(/from "(\.\/[\w-]+)\.js"/g)]
    .map(([, name]) => join(dirname(path), `${name}.ts`))
    .filter(existsSync);
const isLong = (path) => path.endsWith(".test.ts") && [path, ...besides(path)].some(asks);
const chosen = process.argv.slice(2);
const files = readdirSync("test", { recursive: true })
  .map((name) => join("test", name))
  .filter(
    (path) => isLong(path) && (chosen.length === 0 || chosen.some((part) => path.includes(part))),
  );
if (files.length === 0) {
  console.error("No such file has a long form.");
  process.exit(1);
}
process.argv.splice(2, Number.POSITIVE_INFINITY, ...files);
await import("./test.mjs");
