import { invalidParameter } from "../../../domain/errors.js";
import { NoSuchData } from "../../../files/errors.js";
import { idOf } from "../../../files/zarr/address.js";
import { readSlice } from "../../../files/zarr/slice/read-index.js";
import { matches } from "../../http/entity-tag.js";
import { PRIVATE } from "../common/caching.js";
import { beginReading } from "../files/reading.js";
import type { Handler } from "../services.js";

/** Returns a slice of a variable, decoded and sampled by the service. */
export const previewData: Handler<"previewData"> = async (request, services) => {
  const { store, variable } = request.path;
  const { reader, client: by } = await beginReading(idOf(store), request, services);
  return services.access.read(store, reader, request.caller, async (dataset) => {
    const array = await dataset.array(variable, by);
    if (array === undefined) throw new NoSuchData("These data have no variable of this name.");
    if (!array.hasNumbers) {
      const reason = "has no numbers, but texts or structures";
      throw invalidParameter("variable", reason, "path");
    }
    const selection = readSlice(request.query, array.shape);
    const given = request.headers["If-None-Match"];
    const headersOf = (tag: string) => ({ ...PRIVATE, ETag: `"${tag}"` });
    const known = given === undefined ? undefined : dataset.sliceTag?.(variable, selection);
    if (known !== undefined && matches(given, `"${known}"`)) {
      return { status: 304, headers: headersOf(known) } as const;
    }
    const { data, tag } = await dataset.slice(variable, selection, by, request.caller.signal);
    const headers = headersOf(tag);
    if (matches(given, headers.ETag)) return { status: 304, headers } as const;
    request.context.chunk = "decoded";
    const body = await services.datasets.bytesBody(data);
    return { status: 200, type: "application/octet-stream", headers, body } as const;
  });
};
