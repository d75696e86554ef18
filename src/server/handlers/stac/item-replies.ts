/** Answers with items: one, or a page. */
import type { Document } from "../../../domain/completeness/folded-values.js";
import type { ItemFacts } from "../../../domain/stac/item-facts.js";
import { datasetId } from "../../../files/zarr/address.js";
import { localPath } from "../../access/local-path.js";
import type { AssetSource } from "../../formats/stac-api/assets.js";
import { chosenParts } from "../../formats/stac-api/chosen-parts.js";
import { datasetItem } from "../../formats/stac-api/dataset-item.js";
import {
  GEOJSON,
  rootLink,
  type StacItems,
  type StacLink,
  stacRoot,
} from "../../formats/stac-api/links.js";
import { owningCaller } from "../flavours/requested-flavour.js";
import { listCaching } from "../search/list-caching.js";
import type { Services } from "../services.js";
import { zarrAddress } from "../zarr/zarr-address.js";
import type { FoundItems } from "./find-items.js";
import type { StacRequest } from "./known-values.js";
import type { ItemPaging } from "./requested-items.js";

/** The source of these items' assets. With FILE_RIGHTS=posix-hide it has only files that the caller may read on the disk. */
export async function assetSource(
  facts: readonly ItemFacts[],
  request: StacRequest,
  { rights }: Services,
): Promise<AssetSource> {
  const { base } = request.caller;
  const stream = (file: string): string => zarrAddress(base, datasetId(file));
  if (!rights?.hides) return { base, stream, isVisible: () => true };
  const documents = facts.flatMap((one) => one.documents);
  const paths = documents.map((document) => localPath(document));
  const areVisible = await rights.visible(
    owningCaller({ principal: undefined, ...request }),
    paths,
  );
  const visible = new Set<Document>(documents.filter((_, index) => areVisible[index]));
  return { base, stream, isVisible: (document) => visible.has(document) };
}

/** Headers of an answer that lists files. */
export const itemCaching = (request: StacRequest, services: Services) => ({
  "Cache-Control": "no-cache",
  ...listCaching(request, services),
});

/** @param links all but that to the root */
export async function itemsReply(
  found: FoundItems,
  { fields }: ItemPaging,
  links: readonly StacLink[],
  request: StacRequest,
  services: Services,
) {
  const source = await assetSource(found.facts, request, services);
  const items = found.facts.map((facts) => datasetItem(facts, true, source));
  const features = fields === undefined ? items : items.map((item) => chosenParts(item, fields));
  const body: StacItems = {
    type: "FeatureCollection",
    features: features as StacItems["features"],
    links: [rootLink(stacRoot(request.caller.base)), ...links],
    numberMatched: found.matched,
    numberReturned: features.length,
    numMatched: found.matched,
    numReturned: features.length,
  };
  const headers = itemCaching(request, services);
  return { status: 200, type: GEOJSON, headers, body } as const;
}
