/** The common parts of answers with items: the source of their assets, and headers. */
import type { Document } from "../../../domain/completeness/folded-values.js";
import type { ItemFacts } from "../../../domain/stac/item-facts.js";
import { datasetId } from "../../../files/zarr/address.js";
import { localPath } from "../../access/local-path.js";
import { zarrAddress } from "../../formats/download/addresses.js";
import type { AssetSource } from "../../formats/stac-api/assets.js";
import { owningCaller } from "../common/client.js";
import type { Services } from "../services.js";
import type { StacRequest } from "./known-values.js";

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
  const areVisible = await rights.visible(owningCaller(request), documents.map(localPath));
  const visible = new Set<Document>(documents.filter((_, index) => areVisible[index]));
  return { base, stream, isVisible: (document) => visible.has(document) };
}
