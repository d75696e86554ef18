/** Merges the counts of box texts into distinct boxes. */
import type { components } from "../../../../generated/openapi.js";
import type { FacetAggregation } from "../../../index/query/facet-aggregations.js";
import { boxRecord } from "../records.js";
import { bucketsOf, numberIn } from "./buckets.js";

type Boxes = components["schemas"]["Boxes"];
type CountedBox = Boxes["boxes"][number];

const MAX_BOXES = 1000;

const sides = ({ west, east, south, north }: CountedBox) => [west, east, south, north];

/** Most frequent first, then by sides. */
function inOrder(a: CountedBox, b: CountedBox): number {
  const [of, other] = [sides(a), sides(b)];
  return b.files - a.files || of.map((side, i) => side - (other[i] ?? 0)).find((d) => d !== 0) || 0;
}

/** @param max texts that Solr lists at most */
export function boxes({ found, numbers }: FacetAggregation, max: number): Boxes {
  const reported = bucketsOf(numbers.boxes);
  const all = new Map<string, CountedBox>();
  for (const { val, count } of reported) {
    const box = boxRecord(val);
    if (box === undefined) continue;
    const key = [box.west, box.east, box.south, box.north].join();
    all.set(key, { ...box, files: count + (all.get(key)?.files ?? 0) });
  }
  return {
    total_count: found,
    known_files: numberIn(numbers, "known"),
    box_count: reported.length < max ? all.size : numberIn(numbers, "texts"),
    boxes: [...all.values()].sort(inOrder).slice(0, MAX_BOXES),
  };
}
