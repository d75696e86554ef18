/**
 * npm run release [folder]: what a release is, in a folder (`release` where none is named): the package, compiled anew, with
 * the very versions that it was tried with; the list of its parts (CycloneDX); the hashes of both.
 * With `--as-compiled` what is compiled already is taken.
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

/** @returns what npm prints; ends this process where npm fails */
function npm(cwd, ...args) {
  const { status, stdout } = spawnSync("npm", [...args, "--loglevel=error"], {
    ...{ cwd, encoding: "utf8", maxBuffer: 2 ** 26, stdio: ["ignore", "pipe", "inherit"] },
  });
  if (status !== 0) process.exit(status ?? 1);
  return stdout;
}

/** All that the package runs on, also by others. A lock, or a shrinkwrap, in a package counts for nobody who installs it. */
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
