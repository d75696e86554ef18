/** A dataset in the STAC API: its item, and Python code that gets it. */
import { versioned } from "../../../src/domain/vocabulary/versioned.js";
import { CodeText } from "../parts/code/code-lines.js";
import { useFacetNames } from "../service/facet-names.js";
import { addressOf } from "../service/request.js";
import { words } from "../words/results.js";
import type { Dataset } from "./datasets.js";
import { datasetFilter, pystacLines } from "./pystac-lines.js";

export function StacItem({ dataset }: { readonly dataset: Dataset }) {
  const { facets, failure } = useFacetNames();
  // The link would change under somebody's hand.
  if (facets === undefined && failure === undefined) return null;
  const name = dataset.dataset_id ?? "";
  const filter = datasetFilter(name);
  const text = pystacLines(addressOf("/stac"), filter);
  const collection = dataset.facets[facets?.first.project ?? ""];
  const item = versioned(name, dataset.versions[0]?.version) ?? name;
  const address =
    // Data of several projects are in the collection of one of them.
    collection === undefined
      ? addressOf("/stac/search", { query: [["filter", filter]] })
      : addressOf("/stac/collections/{collection}/items/{item}", { in: { collection, item } });
  return (
    <>
      <p>
        <a href={address}>{words.stacItem}</a>
      </p>
      <CodeText title={words.stacCode} text={text} />
    </>
  );
}
