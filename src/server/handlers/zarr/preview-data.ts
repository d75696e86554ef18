import { InvalidParameters } from "../../../domain/errors.js";
import { NoSuchData } from "../../../files/errors.js";
import { idOf } from "../../../files/zarr/address.js";
import { readSlice } from "../../../files/zarr/slice/read-index.js";
import type { ZarrAccess } from "../../access/zarr-access.js";
import type { Handler } from "../../contract/operation.js";
import { matches } from "../../http/entity-tag.js";
import { dataReader } from "../files/data-reader.js";
import type { Services } from "../services.js";
import { readingClient } from "./request-client.js";

const CACHING = "private, no-cache";

/** Returns a slice of a variable, decoded and sampled by the service. */
export function previewData({ datasets }: Services, access: ZarrAccess): Handler<"previewData"> {
  return async (request) => {
    const { store, variable } = request.path;
    const id = idOf(store);
    const reader = await dataReader(id, request, access);
    await request.context.reads(id, reader);
    const by = readingClient(request, reader.id);
    return access.read(store, reader, request, async (dataset) => {
      const array = await dataset.array(variable, by);
      if (array === undefined) throw new NoSuchData("These data have no variable of this name.");
      if (!array.hasNumbers) {
        const reason = "has no numbers, but texts or structures";
        throw new InvalidParameters([{ name: "variable", in: "path", reason }]);
      }
      const selection = readSlice(request.query, array.shape);
      const given = request.headers["If-None-Match"];
      const headersOf = (tag: string) => ({ "Cache-Control": CACHING, ETag: `"${tag}"` });
      const known = given === undefined ? undefined : dataset.sliceTag(variable, selection);
      if (known !== undefined && matches(given, `"${known}"`)) {
        return { status: 304, headers: headersOf(known) } as const;
      }
      const { data, tag } = await dataset.slice(variable, selection, by, request.signal);
      const headers = headersOf(tag);
      if (matches(given, headers.ETag)) return { status: 304, headers } as const;
      request.context.chunk = "decoded";
      const body = await datasets.bytesBody(data);
      return { status: 200, type: "application/octet-stream", headers, body } as const;
    });
  };
}
