/** What a row of a table has in a column: a list is of texts; undefined is no value. */
export type Cell = string | number | boolean | readonly string[] | undefined;
