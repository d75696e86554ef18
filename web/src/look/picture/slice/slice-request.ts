/** The request that gives the values of a slice as a file, shown as code. */
import { type CodeRequest, codeRequest } from "../../../service/code-request.js";
import { drawnDimensions } from "../../variables.js";
import type { Slice } from "../picture.js";

/** The service's limit along each of two dimensions. */
const MAX_SIZE = 2048;

/** @param id of the dataset @param title what the request gives */
export function sliceRequest(title: string, id: string, slice: Slice): CodeRequest {
  const { variable, axes, geometry, indexes } = slice;
  const index = axes.map(({ name }) => indexes[name] ?? ":").join(",");
  const drawn = drawnDimensions(geometry);
  // In file order, which may differ from the drawn order.
  const lengths = axes.filter(({ name }) => drawn.includes(name)).map(({ length }) => length);
  const [first = 1, last] = lengths;
  const sizes: (readonly [string, string])[] =
    last === undefined
      ? [["width", String(first)]]
      : [
          ["width", String(Math.min(last, MAX_SIZE))],
          ["height", String(Math.min(first, MAX_SIZE))],
        ];
  const asked = {
    in: { store: `${id}.zarr`, variable: variable.path },
    query: [...(axes.length === 0 ? [] : [["index", index] as const]), ...sizes],
  };
  const options = { answer: "bytes", file: "slice.npy", signed: true } as const;
  return codeRequest(title, "/data-portal/preview/{store}/{variable}", asked, options);
}
