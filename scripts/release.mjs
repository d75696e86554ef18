/**
 * npm run release [folder]: writes a release to a folder (default: `release`): the freshly compiled package with exact
 * versions of its dependencies, its SBOM (CycloneDX), and the hashes of both. `--as-compiled` skips the compilation.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { makeSbom } from "./sbom.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const options = process.argv.slice(2).filter((one) => one.startsWith("--"));
const [folder = "release"] = process.argv.slice(2).filter((one) => !one.startsWith("--"));
const target = resolve(folder);

/** @returns the output of npm; ends this process if npm fails */
function npm(cwd, ...args) {
  const { status, stdout } = spawnSync("npm", [...args, "--loglevel=error"], {
    cwd,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) process.exit(status ?? 1);
  return stdout;
}

/** All direct and transitive dependencies. npm ignores the lock file of an installed package. */
function exactVersions() {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const found = Object.entries(packages).flatMap(([path, { dev, version }]) => {
    const [, name] = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path) ?? [];
    return name === undefined || dev ? [] : [[name, version]];
  });
  return Object.fromEntries(found);
}

if (!options.includes("--as-compiled")) npm(root, "run", "build");
mkdirSync(target, { recursive: true });
const stage = mkdtempSync(join(tmpdir(), "climate-release-"));
try {
  const [{ files }] = JSON.parse(npm(root, "pack", "--dry-run", "--json"));
  for (const { path } of files) cpSync(join(root, path), join(stage, path));
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const pinned = JSON.stringify({ ...manifest, dependencies: exactVersions() }, undefined, 2);
  writeFileSync(join(stage, "package.json"), `${pinned}\n`);
  const packed = npm(stage, "pack", "--json", "--pack-destination", target);
  const [{ filename }] = JSON.parse(packed);
  const list = filename.replace(/\.tgz$/, ".cdx.json");
  writeFileSync(join(target, list), makeSbom(root));
  const hash = (name) =>
    createHash("sha256")
      .update(readFileSync(join(target, name)))
      .digest("hex");
  const lines = [filename, list].map((name) => `${hash(name)}  ${name}\n`);
  writeFileSync(join(target, "SHA256SUMS"), lines.join(""));
  console.log([filename, list, "SHA256SUMS"].map((name) => join(folder, name)).join("\n"));
} finally {
  rmSync(stage, { recursive: true, force: true });
}
