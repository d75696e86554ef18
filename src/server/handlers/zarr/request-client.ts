import type { TimedClient } from "../../../files/zarr/worker/client.js";
import type { RequestContext } from "../../request-context.js";

/** The client that a request reads files for. Its time is charged to the request. @param key of the client */
export const readingClient = (
  { context }: { readonly context: RequestContext },
  key: string,
): TimedClient => ({
  key,
  spent: (milliseconds) => context.decoded(milliseconds),
});
