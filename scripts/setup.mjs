/**
 * Makes a fresh clone ready to run: installs the dependencies and builds, each only if its inputs have changed. Needs
 * only Node.
 */
import "./check-node.mjs";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

function run(command, args) {
  const shell = process.platform === "win32";
  const { status } = spawnSync(command, args, { cwd: root, stdio: "inherit", shell });
  if (status !== 0) process.exit(status ?? 1);
}

/** A hash of files and folders, by name, size and content. */
function fingerprint(paths) {
  const hash = createHash("sha256");
  const visit = (path) => {
    if (statSync(path).isDirectory()) {
      for (const name of readdirSync(path).sort()) visit(join(path, name));
    } else hash.update(path.slice(root.length)).update(readFileSync(path));
  };
  for (const path of paths) visit(join(root, path));
  return hash.digest("hex");
}

/** Runs a step unless it has run on the same inputs. */
function step(name, inputs, output, action) {
  const stamp = join(root, "node_modules", ".setup", name);
  const wanted = fingerprint(inputs);
  const done = existsSync(stamp) && readFileSync(stamp, "utf8") === wanted;
  if (done && existsSync(join(root, output))) return;
  action();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, wanted);
}

step("install", ["package-lock.json"], "node_modules/hono", () => {
  // npm ci empties the folder first. Behind a link it belongs to another checkout, whose commands may be running.
  if (lstatSync(join(root, "node_modules"), { throwIfNoEntry: false })?.isSymbolicLink()) {
    console.error(
      "node_modules is a link, and is not what package-lock.json asks for: install where it leads.",
    );
    process.exit(1);
  }
  console.log("Installing the dependencies");
  run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]);
});
step(
  "build",
  ["src", "generated", "tsconfig.json", "tsconfig.build.json", "scripts/compile.mjs"],
  "dist/src/main.js",
  () => {
    console.log("Compiling");
    run(process.execPath, [join("scripts", "compile.mjs")]);
  },
);
step("page", ["web", "src", "generated", "scripts/build-web.mjs"], "dist/page/index.html", () => {
  console.log("Building the page");
  run(process.execPath, [join("scripts", "build-web.mjs")]);
});
