/** R with httr2, of this machine or unpacked. */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type DebianProgram, findProgram, makeProgram } from "./debian.js";

/** Its presence says that what it needs is there, too. */
const HTTR2: DebianProgram = {
  path: "lib/R/site-library/httr2/DESCRIPTION",
  package: "r-cran-httr2",
  more: ["r-cran-jsonlite"],
};

/** Before `-e` and the text, or `-f` and a file. */
export const R_ARGUMENTS = ["--no-echo", "--no-restore", "--vanilla", "--no-environ"] as const;

export interface FoundR {
  readonly path: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Unpacks R with httr2 unless it is there. */
export const makeR = (): Promise<void> =>
  makeProgram(HTTR2, async (draft) => {
    // Its settings are links into /etc, which an unpacked one lacks: it would say so among what it prints.
    const settings = join(draft, "usr", "lib", "R", "etc", "Renviron");
    await rm(settings);
    await writeFile(settings, "");
  });

/** R's own program with what its starting script, which knows one place alone, would have set; undefined if there is none. */
export function findR(): FoundR | undefined {
  const found = findProgram(HTTR2);
  if (found === undefined) return undefined;
  const home = join(found.root, "usr", "lib", "R");
  const libraries = found.env.LD_LIBRARY_PATH;
  const paths = [join(home, "lib"), ...(libraries === undefined ? [] : [libraries])];
  const env = {
    R_HOME: home,
    R_SHARE_DIR: join(found.root, "usr", "share", "R", "share"),
    R_LIBS: ["site-library", "library"].map((name) => join(home, name)).join(":"),
    LD_LIBRARY_PATH: paths.join(":"),
    EDITOR: "vi",
    PAGER: "cat",
  };
  return { path: join(home, "bin", "exec", "R"), env };
}
