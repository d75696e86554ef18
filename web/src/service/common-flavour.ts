/** The vocabulary that most files have. Pure. */
import { FLAVOUR_NAMES, FLAVOURS } from "../../../src/domain/vocabulary/flavours.js";

const STANDARDS = new Map(
  FLAVOUR_NAMES.flatMap((name) => FLAVOURS[name].projects?.map((project) => [project, name]) ?? []),
);

/**
 * The flavour whose standard most files follow; `native` if more files follow none, or there are none.
 *
 * @param projects values of the facet and their numbers of files in turn, as in metadata-search
 */
export function commonFlavour(projects: readonly (string | number)[]): string {
  const files = new Map([["native", 0]]);
  for (let at = 0; at < projects.length; at += 2) {
    const flavour = STANDARDS.get(String(projects[at]).toLowerCase()) ?? "native";
    files.set(flavour, (files.get(flavour) ?? 0) + Number(projects[at + 1]));
  }
  const [[best] = ["native"]] = [...files].sort(([, a], [, b]) => b - a);
  return best;
}
