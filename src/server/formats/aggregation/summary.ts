/** Formats aggregations of a search as its summary. */
import type { components } from "../../../../generated/openapi.js";
import type { FacetAggregation } from "../../../index/query/facet-aggregations.js";
import { byValue, countOf, numberIn } from "./buckets.js";
import type { Sizes } from "./sizes.js";

type Summary = components["schemas"]["Summary"];

const NOTHING = { files: 0, bytes: 0, sized_files: 0 };

/** @param sizes of the lists of the files found */
export function summary({ found, numbers }: FacetAggregation, sizes: Sizes): Summary {
  const formats = byValue(numbers.formats, 0, (sum, { count }) => sum + count);
  const storage = byValue(numbers.storage, NOTHING, (sum, bucket) => ({
    files: sum.files + bucket.count,
    bytes: sum.bytes + numberIn(bucket, "bytes"),
    sized_files: sum.sized_files + numberIn(bucket, "sized"),
  }));
  const total = (key: "bytes" | "sized_files"): number =>
    storage.reduce((sum, [, sums]) => sum + sums[key], 0);
  return {
    files: found,
    datasets: numberIn(numbers, "datasets"),
    bytes: total("bytes"),
    sized_files: total("sized_files"),
    start: typeof numbers.start === "string" ? numbers.start : null,
    end: typeof numbers.end === "string" ? numbers.end : null,
    formats: formats.map(([format, files]) => ({ format, files })),
    storage: storage.map(([fs_type, sums]) => ({ fs_type, ...sums })),
    retracted: countOf(numbers, "retracted"),
    estimated_bytes: {
      path_list: sizes.pathList,
      intake_catalogue: sizes.intakeCatalogue,
      stac_archive: sizes.stacArchive,
    },
  };
}
