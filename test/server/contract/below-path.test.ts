/** Targets of requests to a service below a path of its host. */
import { describe, expect, it } from "vitest";
import { readDocument } from "../../../src/server/contract/documents/document.js";
import { pathOf, withoutPath, withPrefix } from "../../../src/server/http/base-path.js";

const API = "/api/climate-nextgen";
const WELL_KNOWN = "/.well-known/oauth-authorization-server";

describe("a target below the path", () => {
  it.each([
    ["/climate", `/climate${API}/ping?x=/climate/`, `${API}/ping?x=/climate/`],
    ["/climate", `${API}/ping`, `${API}/ping`],
    ["/climate", "/climate/", "/"],
    ["/climate", "/climate/climate/x", "/climate/x"],
    ["/climate", "/climates/docs", "/climates/docs"],
    ["/a/b", "/a/b/docs", "/docs"],
    ["/api", `${API}/ping`, `${API}/ping`],
    ["/api", `/api${API}/ping`, `${API}/ping`],
    ["/api", "/api/docs", "/docs"],
    ["/climate", `${WELL_KNOWN}/climate${API}`, `${WELL_KNOWN}${API}`],
    ["/climate", `${WELL_KNOWN}${API}`, `${WELL_KNOWN}${API}`],
  ])("is resolved: %s: %s is %s", (path, target, inside) => {
    expect(withoutPath(path, target)).toBe(inside);
  });

  it.each([
    ["/ready", `${API}/ready`],
    ["/status?x", `${API}/status?x`],
    ["/status/x", "/status/x"],
    [`${API}/ready`, `${API}/ready`],
    ["/metrics", "/metrics"],
  ])("is resolved at the root: %s is %s", (target, inside) => {
    expect(withPrefix(target)).toBe(inside);
  });

  it("is that of BASE_URL, without a slash at its end", () => {
    const paths = [undefined, "https://x", "https://x/", "https://x/a/b/", "http://x:1/a"].map(
      pathOf,
    );
    expect(paths).toEqual(["", "", "", "/a/b", "/a"]);
  });
});

describe("the served contract", () => {
  it("is unchanged without a path, and has it before every address otherwise", async () => {
    const [written, moved] = [await readDocument(), await readDocument("/climate")];
    const addresses = (json: string) =>
      [...json.matchAll(/"(?:url|tokenUrl|refreshUrl)": "(\/[^"]*)"/g)].map(([, url]) => url ?? "");
    expect(addresses(written.json).length).toBeGreaterThan(3);
    expect(addresses(moved.json)).toEqual(addresses(written.json).map((url) => `/climate${url}`));
    expect(moved.yaml.split("\n").length).toBeGreaterThan(written.yaml.split("\n").length * 0.95);
  });
});
