/** A request to each operation of the contract, for what is tried on all of them. */
import { OPERATIONS, type OperationName } from "../../../generated/operations.js";
import { routes } from "../../../generated/routes.js";

export interface Call {
  readonly id: OperationName;
  readonly method: string;
  /** Below the host, with what the operation requires in its query. */
  readonly address: string;
  /** The names of the parameters of its query; undefined if it has no query. */
  readonly parameters: readonly string[] | undefined;
  /** The status of invalid requests. */
  readonly invalid: number;
}

const ID = "5f0c2b1e-8d0a-8b3e-9c55-2f6f3a1d9b7e";
const USUAL = {
  flavour: "native",
  uniq_key: "file",
  store: `${ID}.zarr`,
  id: ID,
  key: ".zmetadata",
  collection: "CMIP6",
};

/** What an operation requires in its query. */
const REQUIRED: Readonly<Record<string, string>> = {
  showCoverage: "rows=model&columns=realm",
  showCoverageCsv: "rows=model&columns=realm",
  findComplete: "group_by=model",
  suggest: "text=t",
};

/** @param values of parameters of the path, in place of the usual ones */
export function calls(values: Readonly<Record<string, string>> = {}): Call[] {
  const all: Readonly<Record<string, string>> = { ...USUAL, ...values };
  return Object.entries(routes).map(([name, { method, path, request }]) => {
    const id = name as OperationName;
    const filled = path.replaceAll(/\{(\w+)(?:\{[^{}]+\})?\}/g, (_, key: string) =>
      encodeURIComponent(all[key] ?? "x").replaceAll("%2F", "/"),
    );
    return {
      id,
      method: method.toUpperCase(),
      address: `${filled}?${REQUIRED[id] ?? ""}`,
      parameters: "query" in request ? Object.keys(request.query.shape) : undefined,
      invalid: OPERATIONS[id].invalid ?? 422,
    };
  });
}
