/** The layout of a Solr during an upgrade: where the searched index is, and where the other one. */
import { FILES } from "../collections/configset.js";

/** The alias or core of the new index, and after the switch of the former one, until an upgrade is finished. */
export const UPGRADE = `${FILES}_upgrade`;

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
 * The state of the upgrade:
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
  phase(): Promise<Phase>;
  /** Creates the empty new index. @throws SetupError if this Solr does not support that */
  makeTarget(): Promise<void>;
  /** The former index, before or after the switch. */
  former(): Promise<IndexPlace>;
  /** The former index of the newest versions, which generations before 3 have; undefined if there is none. */
  formerLatest(): Promise<IndexPlace | undefined>;
  /** The new index, before or after the switch. */
  target(): Promise<IndexPlace>;
  /** Makes the new index the one that is searched and written. */
  switchOver(): Promise<void>;
  /** Ends the upgrade. @returns where the former index is kept */
  finish(): Promise<string>;
  readonly kept: KeptIndexes;
}
