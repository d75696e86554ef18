import type { RegistrationRule } from "../../domain/user-data/registration-rule.js";
import type { FileRights } from "../../files/rights/file-rights.js";
import type { Datasets } from "../../files/zarr/datasets.js";
import type { Solr } from "../../index/solr.js";

/** What the rules of who may register and read which data ask. */
export interface AccessParts {
  readonly solr: Solr;
  readonly datasets: Datasets;
  /** Folders below which files may be read. */
  readonly dataRoots: readonly string[];
  /** What users may register, and read as their own. */
  readonly registration: RegistrationRule;
  /** Rights as on the disk; undefined where whoever may know of public data may read them. */
  readonly rights?: FileRights | undefined;
}
