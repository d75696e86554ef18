/** What must not compile: `npm run types` fails where one of these lines would. */
import { describe, expect, it } from "vitest";
import {
  ContractBreach,
  checkReply,
  type Handlers,
} from "../../../src/server/contract/operation.js";
import type { Handler, Services } from "../../../src/server/handlers/services.js";

const fits: Handler<"ping"> = async () => ({
  status: 200,
  type: "application/json",
  body: { status: "alive" },
});

// @ts-expect-error a status that the contract does not have
const wrongStatus: Handler<"ping"> = async () => ({ status: 204 });

// @ts-expect-error a media type that the contract does not have
const wrongType: Handler<"ping"> = async () => ({ status: 200, type: "text/plain", body: "alive" });

// @ts-expect-error a body of another shape
const wrongShape: Handler<"ping"> = async () => ({
  status: 200,
  type: "application/json",
  body: { state: "alive" },
});

// @ts-expect-error a status with a body cannot lack it
const withoutBody: Handler<"ping"> = async () => ({ status: 200 });

// @ts-expect-error an operation without its handler
const incomplete: Handlers<Services> = { ping: fits };

describe("a handler", () => {
  it("does not compile if it does not fit the contract", () => {
    const all = [fits, wrongStatus, wrongType, wrongShape, withoutBody, incomplete];
    expect(all).toHaveLength(6);
  });

  it("fails the check of answers if it gives an extra key, which compiles", () => {
    const body = { status: "alive", more: true };
    expect(() => checkReply("ping", { status: 200, type: "application/json", body })).toThrow(
      ContractBreach,
    );
  });
});
