import type { TimedClient } from "../../../files/zarr/worker/client.js";
import type { RequestContext } from "../../http/request-context.js";

/** The client for the reading processes. Their time is charged to the request. @param key of the client */
export const readingClient = (
  { context }: { readonly context: RequestContext },
  key: string,
): TimedClient => ({
  key,
  spent: (milliseconds) => context.decoded(milliseconds),
});
