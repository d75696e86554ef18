/** What a crawl finds. */

/** A file of data, or a zarr store, as the file system describes it; nothing of it was read. */
export interface FoundFile {
  /** Absolute, as it was named, links and all. */
  readonly path: string;
  readonly kind: "file" | "zarr";
  /** Bytes; of a store those of all its files. */
  readonly size: number;
  /** When it was written last, in milliseconds since 1970; of a store the newest of its files. */
  readonly modified: number;
  /** Decimal text. */
  readonly inode: string;
  /** What storage it lies on, where a rule tells. */
  readonly fs_type?: string;
}

/** Hears of what is not as it should be. */
export interface Report {
  /** Something is left out; the reason is one line. */
  refuse(path: string, reason: string): void;
  /** Something that is only worth knowing. */
  note(path: string, text: string): void;
}

/** A name as it can stand in a line, whatever is in it. */
export const shown = (path: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  path.replace(/[\u0000-\u001f\u007f-\u009f]/g, (character) =>
    JSON.stringify(character)
      .slice(1, -1)
      .replace(
        /^[\u007f-\u009f]$/,
        (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
      ),
  );

/** Whether it is GRIB, whose header nobody reads here: its path tells all that is known. */
export const isGrib = (path: string): boolean => /\.gri?b2?$/i.test(path);
