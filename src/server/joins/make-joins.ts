/** Makes the recipes of joined stores: one for each group of documents. */

import { DataTooLarge } from "../../files/errors.js";
import { ReadingError } from "../../files/netcdf/errors.js";
import type { FileIdentity } from "../../files/netcdf/source/file-identity.js";
import { datasetId } from "../../files/zarr/address.js";
import {
  type JoinFile,
  type JoinOptions,
  joinId,
  MAX_FILES,
  type Recipe,
} from "../../files/zarr/join/recipe.js";
import { eachOf } from "../../platform/concurrency/each-of.js";
import type { AccessParts } from "../access/access-services.js";
import type { DocumentGroup } from "./joined-documents.js";

/** A store, as a list of addresses has it. */
export interface MadeJoin {
  readonly name: string;
  /** Identifies the joined store, or the only file. */
  readonly id: string;
  readonly files: number;
  /** The recipe to store for a joined store; undefined for a single file. */
  readonly recipe: Recipe | undefined;
  readonly notes: readonly string[];
}

/** Files inspected at a time. */
const TOGETHER = 16;
/** The state of a file that cannot be inspected, or is not on this machine: opening the join says why. */
const NOWHERE: FileIdentity = { size: -1, modified: "", inode: "", device: "" };

/** Nothing is stored yet. @param signal aborted when the client leaves. @throws DataTooLarge */
export async function makeJoin(
  group: DocumentGroup,
  options: JoinOptions,
  { datasets }: Pick<AccessParts, "datasets">,
  signal?: AbortSignal,
): Promise<MadeJoin> {
  const { name, notes } = group;
  if (group.files.length > MAX_FILES) {
    throw new DataTooLarge(
      `${name} has ${group.files.length} files, and at most ${MAX_FILES} are joined: find fewer.`,
    );
  }
  const [only, ...others] = group.files;
  if (only === undefined || others.length === 0)
    return { name, notes, id: datasetId(only?.file ?? name), files: 1, recipe: undefined };
  const files: JoinFile[] = [];
  await eachOf(group.files, TOGETHER, async ({ file, path, group: label }, index) => {
    signal?.throwIfAborted();
    const identity = path === undefined ? NOWHERE : await identityOf(path, datasets);
    files[index] = { file, group: label, identity };
  });
  const recipe: Recipe = { ...options, files };
  return { name, notes, id: joinId(recipe), files: files.length, recipe };
}

async function identityOf(path: string, datasets: AccessParts["datasets"]): Promise<FileIdentity> {
  try {
    return (await datasets.inspect(path)).identity;
  } catch (error) {
    if (error instanceof ReadingError) return NOWHERE;
    throw error;
  }
}
