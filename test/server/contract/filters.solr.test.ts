/** Filters as the contract declares them: from the vocabulary, under the names of all flavours. */
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { declareFacets, filterNames } from "../../../scripts/contract/declared-facets.js";
import { FACET_NAMES, FACETS } from "../../../src/domain/vocabulary/facets.js";
import { FLAVOUR_NAMES } from "../../../src/domain/vocabulary/flavours.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { sampleDocuments } from "../../support/service/sample.js";
import { emptyIndex, load, startService, type TestService } from "../../support/service/service.js";

const contract = await readFile(packagePath("openapi.yaml"), "utf8");

interface Declared {
  readonly name: string;
  readonly "x-filter"?: string;
  readonly example: readonly string[];
}

const { components, paths } = parse(contract) as {
  components: { parameters: Record<string, Declared> };
  paths: Record<string, { get?: { operationId: string; parameters?: { $ref?: string }[] } }>;
};
const declared = Object.values(components.parameters).filter((one) => one["x-filter"] === "named");

describe("the names of facets in openapi.yaml", () => {
  it("are those of the vocabulary", () => {
    expect(declareFacets(contract) === contract, "stale: npm run generate").toBe(true);
    expect(declared.map(({ name }) => name)).toEqual(filterNames().map(({ name }) => name));
    expect(new Set(declared.map(({ name }) => name)).size).toBe(declared.length);
  });

  it("change with it", () => {
    const other = contract.replaceAll("FilterRealm", "FilterRelm").replace("Frequency in", "F");
    expect(declareFacets(other)).toBe(contract);
    expect(() => declareFacets(contract.replaceAll("# end of filters", "#"))).toThrow(/lacks/);
    expect(() => declareFacets(contract.replaceAll(/(: |of )filters$/gm, "$1facets"))).toThrow(
      /no part/,
    );
  });

  it("are in every operation that searches, without YAML aliases", () => {
    const searching = Object.values(paths).flatMap(({ get }) =>
      get?.parameters?.some(({ $ref = "" }) => $ref.endsWith("/Time")) ? [get] : [],
    );
    expect(searching.length).toBeGreaterThan(5);
    for (const { operationId, parameters = [] } of searching) {
      const own = parameters.map(({ $ref = "" }) => $ref.replace(/.*\//, ""));
      const all = Object.entries(components.parameters).filter(([, one]) => one["x-filter"]);
      for (const [name] of all) expect(own, operationId).toContain(name);
    }
    expect(contract).not.toMatch(/^(?:[^"#\n]*[:-]\s)[&*]\w/m);
  });
});

describe("a filter", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
    await emptyIndex(service.solr);
    const documents = sampleDocuments();
    // What the sample has nothing of.
    const special = FACET_NAMES.filter((facet) => FACETS[facet].special);
    const facets = special.map((facet) => [facet, [FACETS[facet].example]]);
    const other = { ...documents[0], file: "/data/other.nc" };
    await load(service.solr, [...documents, { ...other, ...Object.fromEntries(facets) }]);
  });
  afterAll(() => service.close());

  const search = async (flavour: string, query: string[][]) => {
    const parameters = new URLSearchParams([...query, ["multi-version", "true"]]);
    const path = `/databrowser/data-search/${flavour}/file?${parameters}`;
    const response = await service.get(path);
    return { status: response.status, text: await response.text() };
  };

  it.each(declared)("has an example that finds something: $name", async ({ name, example }) => {
    const [value = ""] = example;
    const found: string[] = [];
    for (const flavour of FLAVOUR_NAMES) {
      const { status, text } = await search(flavour, [[name, value]]);
      if (status === 200 && text !== "") found.push(flavour);
      else expect([200, 422], flavour).toContain(status);
    }
    expect(found).not.toEqual([]);
  });

  it("may be given as an item of filter, as a key of its own, or both", async () => {
    const key = (name: string, value: string) => [name, value];
    const item = (name: string, value: string) => ["filter", `${name}=${value}`];
    const { text } = await search("cmip6", [key("variable_id", "tas"), key("variable_id", "pr")]);
    expect(text.split("\n").length).toBeGreaterThan(50);
    for (const one of [key, item]) {
      for (const other of [key, item]) {
        const same = await search("cmip6", [one("variable_id", "tas"), other("variable_id", "pr")]);
        expect(same).toEqual({ status: 200, text });
        const excluded = await search("cmip6", [
          one("variable_id", "tas"),
          other("experiment_id_not_", "hist*"),
        ]);
        expect(excluded.text).toContain("ssp");
        expect(excluded.text).not.toContain("historical");
      }
    }
    const equals = await search("cmip6", [item("file", "*=no-such*")]);
    expect(equals).toEqual({ status: 200, text: "" });
  });

  it.each([
    ["without a name", "=tas"],
    ["without a value", "variable_id="],
    ["without a sign", "variable_id"],
    ["empty", ""],
    ["of an unknown name", "modle=x"],
    ["of a name that no object has", "__proto__=x"],
    ["of a parameter", "start=1"],
    ["of a parameter in another spelling", "multi_version=true"],
    ["of a filter that has a form", "time=2000"],
  ])("is 422 as an item of filter: %s", async (_, value) => {
    expect((await search("native", [["filter", value]])).status).toBe(422);
  });

  it.each(["source-id=x", "my_name=x", "Source_id=x", "source_id_not=x", "filters=x", "model="])(
    "is 422 as a key of its own: %s",
    async (query) => {
      expect((await search("cmip6", [...new URLSearchParams(query)])).status).toBe(422);
    },
  );
});
