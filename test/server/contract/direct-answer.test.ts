import { describe, expect, it } from "vitest";
import {
  type DirectPlace,
  directAnswer,
  directBodyOf,
} from "../../../src/server/contract/direct-response.js";
import type { DirectBytes } from "../../../src/server/contract/operation.js";

const TEXT = "of a chunk";

/** A body that counts what was done with it. */
function body() {
  const seen = { streams: 0, abandoned: 0 };
  const bytes: DirectBytes = {
    length: TEXT.length,
    writeTo: async () => {},
    stream: () => {
      seen.streams += 1;
      return new Response(TEXT).body as ReadableStream<Uint8Array>;
    },
    abandon: () => {
      seen.abandoned += 1;
    },
  };
  return { bytes, seen };
}

const init = (caching: string) => ({
  status: 200,
  headers: new Headers({ "Cache-Control": caching, "Content-Length": String(TEXT.length) }),
});

describe("a body that writes itself", () => {
  it("is a stream where nobody left a place for it", async () => {
    const { bytes, seen } = body();
    const response = directAnswer(bytes, init("no-transform"), undefined);
    expect(await response.text()).toBe(TEXT);
    expect(seen).toEqual({ streams: 1, abandoned: 0 });
  });

  it("has no stream where nothing may change it on its way", () => {
    const { bytes, seen } = body();
    const place: DirectPlace = {};
    const response = directAnswer(bytes, init("private, no-transform"), place);
    expect(directBodyOf(response, place)).toBe(bytes);
    expect(seen).toEqual({ streams: 0, abandoned: 0 });
  });

  it("goes with the answer that other headers were added to", () => {
    const { bytes } = body();
    const place: DirectPlace = {};
    const made = directAnswer(bytes, init("no-transform"), place);
    const response = new Response(made.body, made);
    expect(directBodyOf(response, place)).toBe(bytes);
  });

  it("is given up where another answer came in its place", () => {
    for (const other of [
      new Response("failed", { status: 500, headers: { "Content-Length": String(TEXT.length) } }),
      new Response("short", { headers: { "Content-Length": "5" } }),
    ]) {
      const { bytes, seen } = body();
      const place: DirectPlace = {};
      directAnswer(bytes, init("no-transform"), place);
      expect(directBodyOf(other, place)).toBeUndefined();
      expect(seen).toEqual({ streams: 0, abandoned: 1 });
    }
  });

  it("is its stream where it was changed on its way", async () => {
    const { bytes, seen } = body();
    const place: DirectPlace = {};
    const made = directAnswer(bytes, init("private, no-cache"), place);
    expect(directBodyOf(made, place)).toBe(bytes);
    const compressed = new Response(made.body, made);
    expect(directBodyOf(compressed, place)).toBeUndefined();
    expect(await compressed.text()).toBe(TEXT);
    expect(seen).toEqual({ streams: 1, abandoned: 0 });
  });
});
