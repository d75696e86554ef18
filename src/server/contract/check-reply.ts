/** Test mode: validates answers against the contract. */
import type { z } from "@hono/zod-openapi";
import { routes } from "../../../generated/routes.js";
import { isDirect } from "../http/answer.js";
import { type OperationId, writtenBody } from "./operation.js";

interface Declared {
  readonly content?: Record<string, { readonly schema: z.ZodType }>;
}

export class ContractBreach extends Error {
  override readonly name = "ContractBreach";
}

export function checkReply(
  id: OperationId,
  reply: { readonly status: number; readonly type?: string; readonly body?: unknown },
): void {
  const responses = routes[id].responses as Record<number, Declared | undefined>;
  const declared = responses[reply.status];
  if (declared === undefined) throw new ContractBreach(`${id} has no status ${reply.status}`);
  if (reply.type === undefined) {
    if (declared.content) throw new ContractBreach(`${id} ${reply.status} lacks its body`);
    return;
  }
  const schema = declared.content?.[reply.type]?.schema;
  if (!schema) throw new ContractBreach(`${id} ${reply.status} has no ${reply.type}`);
  // The test that reads it validates it.
  if (isDirect(reply.body)) return;
  const written = writtenBody(reply.body) !== undefined;
  const value = written ? (reply.body as { shape?: unknown }).shape : reply.body;
  if (written && value === undefined) return;
  const result = schema.safeParse(value);
  if (!result.success) {
    throw new ContractBreach(`${id} ${reply.status}: ${result.error.message}`);
  }
}
