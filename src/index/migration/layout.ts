/** The layout of a Solr during an upgrade: where the searched index is, and where the other one. */
import type { Catalogue } from "../collections/configset.js";

/** The alias or core of the new index, and after the switch of the former one, until an upgrade is finished. */
export const upgradeName = (name: Catalogue): string => `${name}_upgrade`;

/** An index that is read and written as a unit. */
export interface IndexPlace {
  /** The collection or core that accepts documents. */
  readonly name: string;
  /** The cores with its documents. Each is read separately. */
  readonly parts: readonly string[];
  /** The names of its shards, in SolrCloud. */
  readonly shards?: readonly string[];
}

/**
 * The state of a collection's upgrade:
 * - `current`: nothing to do;
 * - `outdated`: not started;
 * - `filling`: a new index exists beside the searched one;
 * - `switched`: the new one is searched, but may lack the latest writes to the former one.
 */
export type Phase = "current" | "outdated" | "filling" | "switched";

/** Former indexes, kept until somebody deletes them. */
export interface KeptIndexes {
  list(): Promise<readonly string[]>;
  remove(one: string): Promise<void>;
  /** A clause, such as the command to run. */
  readonly howToDelete: string;
}

export const REMOVES = "`climate-nextgen solr upgrade --remove-old` deletes it";

export interface Layout {
  phase(name: Catalogue): Promise<Phase>;
  /** Creates the empty new index. @throws SetupError if this Solr does not support that */
  makeTarget(name: Catalogue): Promise<void>;
  /** The former index, before or after the switch. */
  former(name: Catalogue): Promise<IndexPlace>;
  /** The new index, before or after the switch. */
  target(name: Catalogue): Promise<IndexPlace>;
  /** Makes the new index the one that is searched and written. */
  switchOver(name: Catalogue): Promise<void>;
  /** Ends the upgrade of this collection. @returns where the former index is kept */
  finish(name: Catalogue): Promise<string>;
  readonly kept: KeptIndexes;
}
