/** What is taken beside what the contract says, which handlers never see. */
import { describe, expect, it } from "vitest";
import { TokenRequest, UserMetadataEntry } from "../../../generated/schemas.js";

const entry = { file: "/a.nc", variable: ["tas"], time: "2000", time_frequency: "mon" };

describe("the decoding of a request", () => {
  it("accepts one value for an array of the contract, and passes on the array", () => {
    expect(UserMetadataEntry.parse({ ...entry, variable: "tas", model: "m" })).toEqual({
      ...entry,
      model: ["m"],
    });
    const several = { ...entry, variable: ["tas", "pr"], model: [], note: "free" };
    expect(UserMetadataEntry.parse(several)).toEqual(several);
    for (const variable of ["", 1, null, undefined, { 0: "tas" }, [""], []]) {
      expect(UserMetadataEntry.safeParse({ ...entry, variable }).success).toBe(false);
    }
    // Those with one value have one.
    expect(UserMetadataEntry.safeParse({ ...entry, fs_type: ["posix"] }).success).toBe(false);
  });

  it("accepts refresh-token for refresh_token, whose own spelling wins if both are there", () => {
    const both = { "refresh-token": "a", refresh_token: "b" };
    expect(TokenRequest.parse({ "refresh-token": "a" })).toEqual({ refresh_token: "a" });
    expect(TokenRequest.parse(both)).toEqual({ refresh_token: "b" });
    expect(TokenRequest.parse({ ...both, refresh_token: "" })).toEqual({ refresh_token: "a" });
    expect(TokenRequest.parse({ username: "x" })).toEqual({ username: "x" });
    expect(TokenRequest.safeParse({ "refresh-token": "a".repeat(8193) }).success).toBe(false);
    for (const other of [null, "x", 1, ["refresh-token"]]) {
      expect(TokenRequest.safeParse(other).success).toBe(false);
    }
  });
});
