/** The name of a file or store, the last part of its path. */
import { withoutTrailing } from "../../platform/trailing-characters.js";

/** The last part of a path, which may end with slashes; "" for the path `/`. */
export const fileName = (path: string): string =>
  withoutTrailing(path, "/").split("/").at(-1) ?? "";
