/** The recipe of a joined store: its files with their state, and how they are joined. The store's address is a digest of it. */
import { hash } from "node:crypto";
import type { FileIdentity } from "../../netcdf/source/file-identity.js";
import { uuidOf } from "../address.js";

/**
 * Along which axis: `dataset` along time, `member` along time and a new axis of members, `model` the same with the members of
 * all models, `variables` along time, with the variables of several datasets side by side.
 */
export type JoinKind = "dataset" | "member" | "model" | "variables";

export interface JoinOptions {
  readonly kind: JoinKind;
  /** Whether a variable that a file lacks is filled. If not, the join is refused. */
  readonly fillsMissing: boolean;
  /** Whether gaps and overlaps in time refuse the join. */
  readonly isStrict: boolean;
}

/** Whether files are joined along an axis of members. */
export const isEnsemble = ({ kind }: JoinOptions): boolean => kind === "member" || kind === "model";

export interface JoinFile {
  /** As the index names it. */
  readonly file: string;
  /** The member or dataset that it belongs to; "" if there is only one. */
  readonly group: string;
  readonly identity: FileIdentity;
}

export interface Recipe extends JoinOptions {
  /** In order of preference: of equal files the first is used. */
  readonly files: readonly JoinFile[];
}

/** Files of one store. */
export const MAX_FILES = 10_000;
/** Chunks of one store. */
export const MAX_CHUNKS = 5_000_000;

/** Increased whenever the same files are joined to other bytes. */
const RENDERING = 4;

/** A digest of the files in their state and of the options. */
export function recipeDigest({ files, kind, fillsMissing, isStrict }: Recipe): string {
  const states = files.map(({ file, group, identity }) => {
    const { size, modified, inode } = identity;
    return [file, group, size, modified, inode];
  });
  return hash("sha256", JSON.stringify([RENDERING, kind, fillsMissing, isStrict, states]), "hex");
}

/**
 * The identifier of a joined store: a UUID of version 5's form (RFC 9562, 5.5) from a digest, so that it differs from
 * those of files, which have version 8.
 */
export const joinId = (recipe: Recipe): string => uuidOf(recipeDigest(recipe), 5);

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Whether an identifier has the form of a joined store's. */
export const isJoinId = (id: string): boolean => ID.test(id);
