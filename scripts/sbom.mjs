/**
 * Makes the SBOM of a release as a CycloneDX 1.6 document: the production dependencies (package-lock.json), the packages
 * bundled into the page (from scripts/build-web.mjs), and the jars of the embedded Solr (solr/artifacts.sha256). The same
 * sources give the same bytes: it contains no time, random number, path or registry.
 *
 * `npm sbom --omit dev` is not used: it leaves out packages that a development tool needs as well (jose, yaml).
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const npmUrl = (name, version) => `pkg:npm/${name.replace(/^@/, "%40")}@${version}`;

/** Resolves a name to its entry in the lock file, from a package at a path, as Node does. */
function resolve(packages, from, name) {
  for (let path = from; ; path = path.replace(/(^|\/)node_modules\/(?:@[^/]+\/)?[^/]+$/, "")) {
    const found = `${path}${path && "/"}node_modules/${name}`;
    if (packages[found] !== undefined) return found;
    if (path === "") return undefined;
  }
}

/**
 * @param bundled names of packages that are part of the page
 * @throws Error for a package without a hash
 */
function npmComponents({ packages }, bundled) {
  const shipped = (path) =>
    !packages[path].dev || bundled.some((name) => path === `node_modules/${name}`);
  const url = (path) => npmUrl(path.replace(/^.*node_modules\//, ""), packages[path].version);
  const needs = (path) => {
    const { dependencies, optionalDependencies, peerDependencies } = packages[path];
    const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
    const found = names.map((name) => resolve(packages, path, name)).filter(Boolean);
    return found.filter(shipped);
  };
  const all = Object.keys(packages).filter((path) => path !== "" && shipped(path));
  // A package installed in several places is one component.
  const paths = [...new Map(all.map((path) => [url(path), path])).values()];
  const components = paths.map((path) => {
    const { version, integrity = "", license, dev } = packages[path];
    const [, hash] = /^sha512-(\S+)$/.exec(integrity) ?? [];
    if (hash === undefined) throw new Error(`package-lock.json has no SHA-512 of ${path}.`);
    const [, group, name] = /^.*node_modules\/(?:(@[^/]+)\/)?([^/]+)$/.exec(path);
    return {
      type: "library",
      "bom-ref": url(path),
      ...(group && { group }),
      name,
      version,
      scope: "required",
      hashes: [{ alg: "SHA-512", content: Buffer.from(hash, "base64").toString("hex") }],
      // An SPDX identifier, or an SPDX expression.
      ...(license && {
        licenses: [/[ (]/.test(license) ? { expression: license } : { license: { id: license } }],
      }),
      purl: url(path),
      // Not installed with the package, but bundled into the page.
      ...(dev && { properties: [{ name: "climate-nextgen:bundled", value: "page" }] }),
    };
  });
  const edges = paths.map((path) => ({ ref: url(path), dependsOn: needs(path).map(url).sort() }));
  return {
    components,
    edges,
    direct: [...new Set([...needs(""), ...bundled.map((name) => `node_modules/${name}`)])].map(url),
  };
}

/** @throws Error if hashes and coordinates do not list the same jars */
function jarComponents(hashes, coordinates) {
  const hashOf = new Map(
    hashes
      .trim()
      .split("\n")
      .map((line) => line.split(/ {2}/).reverse()),
  );
  const components = coordinates
    .trim()
    .split("\n")
    .map((line) => {
      const [group, name, type, ...rest] = line.split(":");
      const version = rest.pop();
      const [classifier] = rest;
      const file = [name, version, ...rest].join("-");
      const content = hashOf.get(`${file}.${type}`);
      if (content === undefined) throw new Error(`solr/artifacts.sha256 has no ${file}.${type}.`);
      const purl = `pkg:maven/${group}/${name}@${version}${classifier ? `?classifier=${classifier}` : ""}`;
      return {
        type: "library",
        "bom-ref": purl,
        group,
        name,
        version,
        // Fetched at the first start, and only without SOLR_URL.
        scope: "optional",
        hashes: [{ alg: "SHA-256", content }],
        purl,
      };
    });
  if (components.length !== hashOf.size) {
    throw new Error("solr/artifacts.maven and solr/artifacts.sha256 differ: scripts/artifacts.mjs");
  }
  return components;
}

/** The document as text. @param root root of the repository */
export function makeSbom(root) {
  const read = (...path) => readFileSync(join(root, ...path), "utf8");
  const lock = JSON.parse(read("package-lock.json"));
  const { name, version, description, license } = JSON.parse(read("package.json"));
  const npm = npmComponents(lock, JSON.parse(read("dist", "page", "packages.json")));
  const jars = jarComponents(read("solr", "artifacts.sha256"), read("solr", "artifacts.maven"));
  const ref = npmUrl(name, version);
  const ownParts = [...npm.direct, ...jars.map(({ purl }) => purl)].sort();
  const document = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      lifecycles: [{ phase: "build" }],
      component: {
        type: "application",
        "bom-ref": ref,
        name,
        version,
        description,
        licenses: [{ license: { id: license } }],
        purl: ref,
      },
    },
    components: [...npm.components, ...jars],
    dependencies: [
      { ref, dependsOn: ownParts },
      ...npm.edges,
      ...jars.map(({ purl }) => ({ ref: purl })),
    ],
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}
