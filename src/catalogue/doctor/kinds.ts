/** The kinds of problems and of unknowns, with their meaning and remedy. The only place that lists them. */

interface KindTraits {
  /** Its meaning for one file or data set. */
  readonly meaning: string;
  /** The remedy, as an instruction. */
  readonly remedy: string;
}

export const FINDINGS = {
  missing: {
    meaning: "the index names a file that is not there",
    remedy:
      "bring it back, or run `climate-nextgen crawl` of a folder above, which removes its entry; an empty folder must be deleted first",
  },
  elsewhere: {
    meaning: "files are below a folder that this machine does not have",
    remedy: "mount it, or run the doctor where it is; for the rest, leave it out with -s or a PATH",
  },
  silent: {
    meaning: "a mounted file system does not answer",
    remedy: "repair the mount, and run the doctor again: its files were not checked",
  },
  unreadable: {
    meaning: "the system refuses the file",
    remedy:
      "give the service's user the right to read it and the folders above it, or repair the storage",
  },
  damaged: {
    meaning: "the file contradicts its format, or has one that is not read",
    remedy: "fetch it again from where it came",
  },
  changed: {
    meaning: "the file has changed since it was indexed",
    remedy: "run `climate-nextgen crawl` of its folder again",
  },
  empty: {
    meaning: "the file has no records: a dimension of its data has the length 0",
    remedy: "fetch it again from where it came, or remove it",
  },
  overlap: {
    meaning: "two files of one data set have the same times",
    remedy: "remove one of them, or publish them as versions",
  },
  gap: {
    meaning: "times are missing between two files of one data set",
    remedy:
      "fetch the files between them, or run `climate-nextgen crawl` of the folder where they are",
  },
  calendar: {
    meaning: "files of one data set count their time in different calendars",
    remedy: "ask the producer of the data; such files cannot be joined along their time",
  },
  version: {
    meaning: "the version of the folder is not that of the index or of the header",
    remedy: "move the file where it belongs, and run `climate-nextgen crawl` of both folders",
  },
  shorter: {
    meaning:
      "the newest version of a data set covers less time than an older one, or lacks a variable of it",
    remedy:
      "fetch what is missing, or remove the newest version; until then, `multi-version=true` finds the older one",
  },
  facet: {
    meaning: "the path names another value of a facet than the header",
    remedy:
      "move the file where its header belongs, or correct the header, and run `climate-nextgen crawl` of both folders",
  },
  tracking_id: {
    meaning: "files that are no copies or versions of each other have the same tracking_id",
    remedy: "keep one of them; give a file that was made anew a new tracking_id",
  },
  checksum: {
    meaning: "files that are no copies or versions of each other have the same contents",
    remedy: "keep one of them",
  },
} as const satisfies Record<string, KindTraits>;

export type FindingKind = keyof typeof FINDINGS;
export const FINDING_KINDS = Object.keys(FINDINGS) as readonly FindingKind[];

export const UNKNOWNS = {
  presence:
    "whether the file exists: it is not a path on this machine, or its archive is not mounted",
  silent: "anything: their file system does not answer",
  change:
    "whether it has changed: the index lacks its size or time, or it is a zarr store, which --headers checks",
  contents:
    "what the header says: it is GRIB, which is not read, or in an archive, which is never opened",
  unopened: "what the header says: it could not be opened, as reported above",
  dataset: "to which data set it belongs: the index has no dataset_id for it",
  time: "its times: the index has none",
  frequency: "gaps and overlaps: its frequency has no fixed step",
  calendar:
    "whether days are missing at its ends: this depends on its calendar, which --headers reads",
  step: "whether it repeats a time: it begins within a step of the end of another file",
  crowded: "gaps and overlaps: its data set has more files than are compared together",
  identity: "whether it is a duplicate: the index has neither its tracking_id nor its checksum",
  suspects:
    "whether it is a duplicate: more files share a tracking_id or checksum than are compared",
} as const satisfies Record<string, string>;

export type UnknownKind = keyof typeof UNKNOWNS;
export const UNKNOWN_KINDS = Object.keys(UNKNOWNS) as readonly UnknownKind[];

export interface Finding {
  readonly kind: FindingKind;
  /** The file, or the folder if it concerns all files below. */
  readonly file: string;
  /** The finding, as a predicate of the file. */
  readonly detail: string;
  readonly dataset_id?: string;
  readonly version?: string;
  /** Other files involved. */
  readonly others?: readonly string[];
  /** Number of files, if their names are not listed. */
  readonly count?: number;
}
