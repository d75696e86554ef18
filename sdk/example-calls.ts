/** Every operation that searches, as the documentation calls it where nobody has filled in anything. */

import { readDocument } from "../src/server/contract/documents/document.js";
import type { OperationId } from "../src/server/contract/operation.js";
// @ts-expect-error they are for browsers, and written without types of their own
import { forReading } from "../web/docs/document.js";
// @ts-expect-error as above
import { requestOf } from "../web/docs/request.js";

/** Any part of the document; leaves are cast where they are used. */
interface Part {
  [key: string]: Part;
}

export interface ExampleCall {
  readonly id: OperationId;
  /** By which generators part operations. */
  readonly tag: string;
  /** Below the prefix, with its query. */
  readonly address: string;
  /** What stands in the path, and in the query. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** Media types of what it answers. */
  readonly forms: readonly string[];
  /** Whether a form is chosen by `Accept`; else a parameter of its own chooses it. */
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

/** All that search: they are read only, and take what searches take. */
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
        forms: Object.keys((success?.content ?? {}) as object),
        isByAccept: parameters.every(({ name }) => name !== "catalogue-type"),
      },
    ];
  });
}

/** A list where the contract has one. */
function queryOf(pairs: readonly [string, string][], parameters: readonly Parameter[]) {
  const query: Record<string, unknown> = {};
  for (const [name, value] of pairs) {
    const parameter = parameters.find((one) => one.name === name);
    query[name] =
      parameter?.schema.type === "array" ? [...((query[name] ?? []) as string[]), value] : value;
  }
  return query;
}
