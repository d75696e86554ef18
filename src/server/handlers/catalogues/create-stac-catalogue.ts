import { NoItems, type UnknownValue } from "../../../domain/errors.js";
import type { Handler } from "../../contract/operation.js";
import { attachment, catalogueName } from "../../formats/catalogue.js";
import { stacArchive, stacFields } from "../../formats/stac/archive.js";
import { byteStream } from "../../formats/streams/byte-stream.js";
import { zip } from "../../formats/streams/zip.js";
import { withFlavour } from "../flavours/requested-flavour.js";
import type { Services } from "../services.js";
import { openFound } from "./catalogue-source.js";

/** What is found as a static STAC catalogue in a zip archive, streamed from Solr. */
export function createStacCatalogue(services: Services): Handler<"createStacCatalogue"> {
  return async (asked) => {
    const request = await withFlavour(asked, services);
    const nothing = (unknown?: readonly UnknownValue[]) => new NoItems(unknown);
    const { source, documents, headers } = await openFound(request, services, stacFields, nothing);
    return {
      status: 200,
      type: "application/zip",
      headers: { ...headers, "Content-Disposition": attachment(`${catalogueName(source)}.zip`) },
      body: byteStream(zip(stacArchive(documents, source))),
    };
  };
}
