/** The example request of the documentation for every search operation. */

import { readDocument } from "../src/server/contract/documents/document.js";
import type { OperationId } from "../src/server/contract/operation.js";
// @ts-expect-error it is for browsers, without type declarations
import { forReading } from "../web/docs/document.js";
// @ts-expect-error as above
import { requestOf } from "../web/docs/request.js";

/** Any part of the document; leaves are cast on use. */
interface Part {
  [key: string]: Part;
}

export interface ExampleCall {
  readonly id: OperationId;
  /** Generators group operations by tag. */
  readonly tag: string;
  /** Path below the prefix, with the query. */
  readonly address: string;
  /** Path and query parameters. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** Media types of the answer. */
  readonly forms: readonly string[];
  /** Whether `Accept` chooses the media type; else a query parameter does. */
  readonly isByAccept: boolean;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly example?: unknown;
  readonly schema: { readonly type?: string };
}

function resolver(contract: Part): (value: unknown) => Part {
  const resolved = (value: unknown): Part => {
    if (Array.isArray(value)) return value.map(resolved) as unknown as Part;
    if (typeof value !== "object" || value === null) return value as Part;
    const { $ref } = value as { $ref?: string };
    if ($ref === undefined) {
      const parts = Object.entries(value).map(([key, part]) => [key, resolved(part)]);
      return Object.fromEntries(parts);
    }
    const names = $ref.slice(2).split("/");
    return resolved(names.reduce((part, key) => part[key] as Part, contract));
  };
  return resolved;
}

/** All search operations: read-only, with the parameters of searches. */
export async function exampleCalls(): Promise<ExampleCall[]> {
  const contract: Part = forReading(JSON.parse((await readDocument()).json), "");
  const resolved = resolver(contract);
  return Object.entries(contract.paths as Part).flatMap(([path, { get }]) => {
    if (get === undefined) return [];
    const operation = resolved(get);
    const parameters = (operation.parameters ?? []) as unknown as Parameter[];
    if (!parameters.some(({ name }) => name === "time_select")) return [];
    const request = { path, operation, method: "get", server: "", values: {} };
    const { address, query } = requestOf(request) as { address: string; query: [string, string][] };
    const { 200: success } = operation.responses as Part;
    const [tag] = operation.tags as unknown as string[];
    return [
      {
        id: String(operation.operationId) as OperationId,
        tag: tag ?? "",
        address: `${address}?${new URLSearchParams(query)}`,
        path: Object.fromEntries(
          parameters
            .filter((one) => one.in === "path")
            .map((one) => [one.name, String(one.example)]),
        ),
        query: queryOf(query, parameters),
        forms: Object.keys({ ...success?.content, ...success?.["x-other-content"] }),
        isByAccept: parameters.every(({ name }) => !["catalogue-type", "as"].includes(name)),
      },
    ];
  });
}

/** Query parameters, as a list if the contract has an array. */
function queryOf(pairs: readonly [string, string][], parameters: readonly Parameter[]) {
  const query: Record<string, unknown> = {};
  for (const [name, value] of pairs) {
    const parameter = parameters.find((one) => one.name === name);
    query[name] =
      parameter?.schema.type === "array" ? [...((query[name] ?? []) as string[]), value] : value;
  }
  return query;
}
