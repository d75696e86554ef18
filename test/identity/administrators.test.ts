/** What a token of the outside provider says of administrators. */
import { describe, expect, it } from "vitest";
import { hasClaim } from "../../src/identity/outside/claims.js";

describe("a claim of administrators", () => {
  it.each([
    [{ groups: ["a", "admin"] }, "groups", true],
    [{ groups: "admin" }, "groups", true],
    [{ groups: "administrator" }, "groups", false],
    [{ groups: "x admin" }, "groups", false],
    [{ groups: [["admin"]] }, "groups", false],
    [{ groups: { admin: true } }, "groups", false],
    [{ scope: "openid admin" }, "scope", true],
    [{ scope: "openid administrator" }, "scope", false],
    [{ a: { b: { c: ["admin"] } } }, "a.b.c", true],
    [{ a: { "b.c": ["admin"] } }, "a.b.c", true],
    [{ "https://example.org/roles": ["admin"] }, "https://example.org/roles", true],
    [{ a: ["admin"] }, "a.0", false],
    [{}, "constructor.name", false],
    [{}, "__proto__", false],
  ])("is evaluated: in %j at %s is %s", (payload, path, expected) => {
    expect(hasClaim(payload, { path, value: "admin" })).toBe(expected);
  });

  it("may be a number or true, by their texts", () => {
    expect(hasClaim({ admin: true }, { path: "admin", value: "true" })).toBe(true);
    expect(hasClaim({ admin: false }, { path: "admin", value: "true" })).toBe(false);
    expect(hasClaim({ level: [1, 7] }, { path: "level", value: "7" })).toBe(true);
  });
});
