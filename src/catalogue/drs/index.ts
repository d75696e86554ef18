/** Data reference syntaxes: those of the package (drs/*.yaml), and files of the same form. */

import { readdirSync, readFileSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Header } from "../../files/cf/header.js";
import { refusalOf } from "../../platform/errors.js";
import { packagePath } from "../../platform/package-root.js";
import { type AttributeNames, mergeExpressions } from "./attributes.js";
import { InvalidStandard, MAX_FILE, readDefinition } from "./definition.js";
import { Standard } from "./standard.js";

export { attributesOf } from "./attributes.js";
export { InvalidStandard } from "./definition.js";
export { Standard } from "./standard.js";

let shipped: ReadonlyMap<string, Standard> | undefined;

/** The standards of the package by name, read once, in the order in which headers are tested. */
export function shippedStandards(): ReadonlyMap<string, Standard> {
  shipped ??= standardsIn(packagePath("drs"));
  return shipped;
}

/**
 * The standards of a folder by name. One that is `before` others precedes them; those that are before none come last.
 *
 * @throws InvalidStandard also if standards are before each other
 */
export function standardsIn(folder: string): ReadonlyMap<string, Standard> {
  const files = readdirSync(folder).filter((file) => file.endsWith(".yaml"));
  const standards = new Map(
    files.sort().map((file): [string, Standard] => {
      const path = join(folder, file);
      const standard = new Standard(readDefinition(readFileSync(path, "utf8"), path));
      return [file.slice(0, -".yaml".length), standard];
    }),
  );
  const heights = new Map<string, number>();
  const height = (name: string, above: readonly string[]): number => {
    const path = join(folder, `${above.at(-1) ?? name}.yaml`);
    if (above.includes(name)) throw new InvalidStandard(`${path}: is before itself.`);
    const standard = standards.get(name);
    if (standard === undefined) throw new InvalidStandard(`${path}: before names no ${name}.`);
    const { before } = standard.definition;
    const known =
      heights.get(name) ?? Math.max(0, ...before.map((one) => height(one, [...above, name]) + 1));
    heights.set(name, known);
    return known;
  };
  for (const name of standards.keys()) height(name, []);
  const heightOf = (name: string): number => heights.get(name) ?? 0;
  return new Map([...standards].sort(([a], [b]) => heightOf(b) - heightOf(a)));
}

export const allStandards = (): readonly Standard[] => [...shippedStandards().values()];

/** Headers of no standard have its attribute names most often. */
const COMMON = "cmip6";

let allNames: AttributeNames | undefined;

/** The attributes that any standard of the package names; if two disagree on one, the most common standard comes first. */
export function allAttributeNames(): AttributeNames {
  allNames ??= mergedNames();
  return allNames;
}

function mergedNames(): AttributeNames {
  const isCommon = ({ name }: Standard): number => Number(name === COMMON);
  const inOrder = [...allStandards()].sort((a, b) => isCommon(b) - isCommon(a));
  const all = inOrder.map(({ definition }) => definition);
  return {
    attributes: mergeExpressions(all.map(({ attributes }) => attributes)),
    hints: mergeExpressions(all.map(({ hints }) => hints)),
  };
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
