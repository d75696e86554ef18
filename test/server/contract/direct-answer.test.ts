import { describe, expect, it } from "vitest";
import {
  type AnswerPlace,
  answerReady,
  directAnswer,
  directBodyOf,
  readyAnswer,
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

const init = (): { status: number; headers: Headers } => ({
  status: 200,
  headers: new Headers({ "Content-Length": String(TEXT.length) }),
});

describe("an answer that is ready", () => {
  it("needs no stream", () => {
    const { bytes, seen } = body();
    const place: AnswerPlace = {};
    const response = answerReady(place, { status: 200, headers: {}, body: bytes });
    expect(readyAnswer(response, place)?.body).toBe(bytes);
    expect(directBodyOf(response, place)).toBeUndefined();
    expect(seen).toEqual({ streams: 0, abandoned: 0 });
  });

  it("is given up where another answer came in its place", () => {
    const { bytes, seen } = body();
    const place: AnswerPlace = {};
    answerReady(place, { status: 200, headers: {}, body: bytes });
    const other = new Response("failed", { status: 500 });
    expect(readyAnswer(other, place)).toBeUndefined();
    expect(directBodyOf(other, place)).toBeUndefined();
    expect(seen).toEqual({ streams: 0, abandoned: 1 });
  });

  it("is that of its own request", () => {
    const place: AnswerPlace = {};
    const response = answerReady(place, { status: 204, headers: {}, body: undefined });
    expect(readyAnswer(response, {})).toBeUndefined();
    expect(readyAnswer(response, undefined)).toBeUndefined();
  });
});

describe("a body that writes itself, and may be compressed", () => {
  it("is a stream where nobody left a place for it", async () => {
    const { bytes, seen } = body();
    const response = directAnswer(bytes, init(), undefined);
    expect(await response.text()).toBe(TEXT);
    expect(seen).toEqual({ streams: 1, abandoned: 0 });
  });

  it("is written where nothing changed it on its way", () => {
    const { bytes } = body();
    const place: AnswerPlace = {};
    const made = directAnswer(bytes, init(), place);
    expect(directBodyOf(made, place)).toBe(bytes);
  });

  it("is its stream where it was compressed on its way", async () => {
    const { bytes, seen } = body();
    const place: AnswerPlace = {};
    const made = directAnswer(bytes, init(), place);
    const compressed = new Response(made.body, made);
    expect(directBodyOf(compressed, place)).toBeUndefined();
    expect(await compressed.text()).toBe(TEXT);
    expect(seen).toEqual({ streams: 1, abandoned: 0 });
  });
});
