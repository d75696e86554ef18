import type { Search } from "../../domain/search/search.js";
import type { RegistrationRule } from "../../domain/user-data/registration-rule.js";
import type { FileRights } from "../../files/rights/file-rights.js";
import type { Datasets } from "../../files/zarr/dataset/datasets.js";
import type { Solr } from "../../index/solr.js";

export interface AccessParts {
  readonly solr: Solr;
  readonly datasets: Datasets;
  /** Files are read only below these folders. */
  readonly dataRoots: readonly string[];
  /** Searches whose data are read without a token (PUBLIC). */
  readonly publicData: readonly Search[];
  /** Decides which files users may register and read as their own. */
  readonly registration: RegistrationRule;
  /** File rights on disk. Undefined: everybody with access to the service reads public data. */
  readonly rights?: FileRights | undefined;
}
