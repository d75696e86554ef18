import { describe, expect, it } from "vitest";
import { jsonPieces } from "../../../src/server/formats/json.js";

const text = async (value: object): Promise<string> => (await jsonPieces(value)).join("");

describe("JSON in parts", () => {
  const long = Array.from({ length: 1001 }, (_, index) => ({ index, text: `"${index}"\n` }));
  it.each<[string, object]>([
    ["of a long list", { a: long, b: 1 }],
    ["of a long list inside of members", { facets: { x: long, y: [], z: undefined }, n: null }],
    ["of numbers, some of them none", { a: Array.from({ length: 500 }, (_, i) => 1 / (i % 7)) }],
    ["of a list of undefined", { a: Array.from({ length: 300 }, () => undefined) }],
    ["of nothing", {}],
    ["of members that are undefined", { a: undefined, b: { c: undefined } }],
    ["of a list alone", long],
    ["of deep members", { a: { b: { c: { d: long, e: undefined } } } }],
    ["of odd names", { '"': { "\\": "\u2028", __proto__x: [1] } }],
  ])("is that of JSON.stringify: %s", async (_, value) => {
    expect(await text(value)).toBe(JSON.stringify(value));
  });
});
