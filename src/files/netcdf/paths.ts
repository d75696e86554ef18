/** Joins names of groups and variables from the root by "/"; the root's path is "". */
export const joinPath = (...names: readonly string[]): string =>
  names.filter((name) => name !== "").join("/");
