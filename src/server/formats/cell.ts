/** A cell of a table; undefined is no value. */
export type Cell = string | number | boolean | readonly string[] | undefined;
