/** How a Solr is laid out for an upgrade: where the index that is searched lies, and where the one beside it. */
import type { Catalogue } from "../collections/configset.js";

/** The name of the new index, and then of the former one, until an upgrade is finished: an alias or a core. */
export const upgradeName = (name: Catalogue): string => `${name}_upgrade`;

/** An index that is read and written as one. */
export interface Place {
  /** Where it takes documents. */
  readonly name: string;
  /** The cores that its documents lie in, each of which is read by itself. */
  readonly parts: readonly string[];
  /** The names of its shards, in SolrCloud. */
  readonly shards?: readonly string[];
}

/**
 * How far the upgrade of a collection is:
 * - `current`: there is nothing to do;
 * - `outdated`: nothing was begun;
 * - `filling`: a new index is there beside the one that is searched;
 * - `switched`: the new one is searched, and what came to the former one last may be missing from it.
 */
export type Phase = "current" | "outdated" | "filling" | "switched";

/** Former indexes, which stay until they are deleted. */
export interface Kept {
  list(): Promise<readonly string[]>;
  remove(one: string): Promise<void>;
  /** Half a sentence. */
  readonly howToDelete: string;
}

export const REMOVES = "`climate-nextgen solr upgrade --remove-old` deletes it";

export interface Layout {
  phase(name: Catalogue): Promise<Phase>;
  /** Makes the new index, which is empty. @throws SetupError where this Solr cannot be asked for that */
  makeTarget(name: Catalogue): Promise<void>;
  /** The former index, wherever it is by now. */
  former(name: Catalogue): Promise<Place>;
  /** The new index, wherever it is by now. */
  target(name: Catalogue): Promise<Place>;
  /** From now on the new index is the one that is searched and written. */
  switchOver(name: Catalogue): Promise<void>;
  /** The upgrade of this collection has nothing left to do. @returns where the former index is kept */
  finish(name: Catalogue): Promise<string>;
  readonly kept: Kept;
}
