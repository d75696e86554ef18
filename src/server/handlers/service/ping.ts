import type { Handler } from "../../contract/operation.js";

/** The process lives, or nobody would answer. */
export function ping(): Handler<"ping"> {
  return async () => ({ status: 200, type: "application/json", body: { status: "alive" } });
}
