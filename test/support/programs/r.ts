/** R with httr2, of this machine or unpacked into a folder of this clone. */
import { lstat, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type DebianProgram, findProgram } from "./debian.js";

/** Its presence says that what it needs is there, too. */
const HTTR2: DebianProgram = {
  path: "lib/R/site-library/httr2/DESCRIPTION",
  packages: [
    "r-cran-httr2",
    ...["askpass", "cli", "curl", "glue", "jsonlite", "magrittr", "openssl", "r6", "rappdirs"].map(
      (name) => `r-cran-${name}`,
    ),
    ...["r-cran-rlang", "r-cran-sys", "r-cran-withr", "r-base-core"],
    ...["libblas3", "libgfortran5", "liblapack3", "libpaper1", "libquadmath0"],
  ],
};

/** Before `-e` and the text, or `-f` and a file. */
export const R_ARGUMENTS = ["--no-echo", "--no-restore", "--vanilla", "--no-environ"] as const;

export interface FoundR {
  readonly path: string;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * R's own program with what its starting script, which knows one place alone, would have set; undefined where R cannot
 * be had, which in CI is an error.
 */
export async function findR(): Promise<FoundR | undefined> {
  const found = await findProgram(HTTR2);
  if (found === undefined) return undefined;
  const home = join(found.root, "usr", "lib", "R");
  // Its settings are links into /etc, where an unpacked one has nothing: it would say so among what it prints.
  const settings = join(home, "etc", "Renviron");
  if (found.root !== "/" && (await lstat(settings)).isSymbolicLink()) {
    await rm(settings);
    await writeFile(settings, "");
  }
  const libraries = found.env.LD_LIBRARY_PATH;
  const paths = [
    join(home, "lib"),
    ...(libraries === undefined ? [] : ["", "blas", "lapack"].map((name) => join(libraries, name))),
  ];
  const env = {
    ...{ R_HOME: home, R_SHARE_DIR: join(found.root, "usr", "share", "R", "share") },
    R_LIBS: ["site-library", "library"].map((name) => join(home, name)).join(":"),
    ...{ LD_LIBRARY_PATH: paths.join(":"), EDITOR: "vi", PAGER: "cat" },
  };
  return { path: join(home, "bin", "exec", "R"), env };
}
