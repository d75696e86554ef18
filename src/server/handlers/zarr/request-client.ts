import type { TimedClient } from "../../../files/zarr/worker/client.js";
import type { Exchange } from "../../request-context.js";

/** The client that a request reads files for. Its time is charged to the request. @param key of the client */
export const readingClient = (
  { exchange }: { readonly exchange: Exchange },
  key: string,
): TimedClient => ({
  key,
  spent: (milliseconds) => exchange.decoded(milliseconds),
});
