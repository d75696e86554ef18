import type { Asker } from "../../../files/zarr/worker/client.js";
import type { Exchange } from "../../request-context.js";

/** Who has something read for a request: what it costs is counted for its caller. @param key of who asks */
export const askerOf = ({ exchange }: { readonly exchange: Exchange }, key: string): Asker => ({
  key,
  spent: (milliseconds) => exchange.decoded(milliseconds),
});
