/** Data reference syntaxes: those of the package (drs/*.yaml), and files of the same form. */

import { readdirSync, readFileSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import type { Header } from "../../files/cf/header.js";
import { refusalOf } from "../../platform/errors.js";
import { packagePath } from "../../platform/package-root.js";
import { InvalidStandard, MAX_FILE, readDefinition } from "./definition.js";
import { Standard } from "./standard.js";

export { attributesOf } from "./attributes.js";
export { InvalidStandard } from "./definition.js";
export type { Facets, PathFacts, PathReading } from "./standard.js";
export { Standard } from "./standard.js";

/** The order in which headers are tested. CORDEX-CMIP6 comes before CMIP6, because its headers name both. */
const ORDER = ["cordex-cmip6", "cmip6", "cmip7", "cmip5", "cordex", "nextgems", "freva"];

let shipped: ReadonlyMap<string, Standard> | undefined;

/** The standards of the package by name, read once. */
export function shippedStandards(): ReadonlyMap<string, Standard> {
  if (shipped === undefined) {
    const folder = packagePath("drs");
    const names = readdirSync(folder)
      .filter((file) => file.endsWith(".yaml"))
      .map((file) => file.slice(0, -".yaml".length))
      .sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b));
    const all = names.map((name): [string, Standard] => {
      const path = packagePath("drs", `${name}.yaml`);
      return [name, new Standard(readDefinition(readFileSync(path, "utf8"), path))];
    });
    shipped = new Map(all);
  }
  return shipped;
}

let all: readonly Standard[] | undefined;

/** The standards of the package, always the same array. */
export function allStandards(): readonly Standard[] {
  all ??= [...shippedStandards().values()];
  return all;
}

/** The standard that a header names; undefined if it names none. */
export function recognisedStandard(header: Header): Standard | undefined {
  return allStandards().find((standard) => standard.recognises(header));
}

/**
 * A standard of the package by its name, or one from a file `*.yaml` or `*.yml`.
 *
 * @throws InvalidStandard with the key in the file and the reason
 */
export async function loadStandard(nameOrPath: string): Promise<Standard> {
  const known = shippedStandards().get(nameOrPath);
  if (known !== undefined) return known;
  if (!/[/\\]|\.ya?ml$/i.test(nameOrPath)) {
    const names = [...shippedStandards().keys()].join(", ");
    throw new InvalidStandard(
      `${nameOrPath} is no standard: there are ${names}, and files of your own, named .yaml.`,
    );
  }
  try {
    const { size } = await stat(nameOrPath);
    if (size > MAX_FILE)
      throw new InvalidStandard(`${nameOrPath} has more than ${MAX_FILE / 1024} kB.`);
    return new Standard(readDefinition(await readFile(nameOrPath, "utf8"), nameOrPath));
  } catch (error) {
    if (error instanceof InvalidStandard) throw error;
    throw new InvalidStandard(`${nameOrPath} cannot be read (${refusalOf(error)}).`);
  }
}
