/** Which generators of clients a run tries. */
import { GENERATORS, type Generator } from "../../../sdk/generators.js";
import { missingCommands } from "../../../sdk/tools.js";
import { isTried } from "../../../sdk/tried.js";
import { attempts } from "../run/trials.js";

/** All of them if the contract has changed since all passed, or in `npm run test:long`; else the cheap ones. */
export async function generatorsToTry(): Promise<readonly Generator[]> {
  const tryAll = attempts(false, true) || !(await isTried());
  return GENERATORS.filter(({ everyTime }) => tryAll || everyTime);
}

/** The generators that this machine cannot run, with the commands that it lacks, one line each. */
export const untriable = (generators: readonly Generator[]): string[] =>
  generators
    .map(({ name, tools }) => ({ name, missing: missingCommands(tools) }))
    .filter(({ missing }) => missing.length > 0)
    .map(
      ({ name, missing }) =>
        `NOT TRIED: the client of ${name}; this machine has no ${missing.join(", ")}`,
    );
