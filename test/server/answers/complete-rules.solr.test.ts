/** What a question about complete groups may say, how large it may be, and that its answer is never stale. */
import { beforeAll, describe, expect, it } from "vitest";
import { Complete } from "../../../generated/schemas.js";
import { isOnTheCloud } from "../../support/run/left-out.js";
import { fillIndex, load, startService } from "../../support/service/service.js";
import { useService } from "../../support/service/use-service.js";
import { between, cut } from "../../support/solr/wire.js";

/** What Solr was asked for. */
const asked: string[] = [];

const file = (name: string, more: object) => ({
  file: `/${name}`,
  project: ["CMIP6"],
  time_frequency: ["mon"],
  cmor_table: ["Amon"],
  ...more,
});

/** M has both, of N the area is another member's, of O a year is missing. */
const DOCUMENTS = [
  file("m1", { model: ["M"], ensemble: ["r1"], variable: ["tas"], time: "[1850 TO 1851]" }),
  file("m2", { model: ["M"], ensemble: ["r1"], variable: ["tas"], time: "[1852 TO 1852-12-16]" }),
  file("m3", { model: ["M"], ensemble: ["r1"], variable: ["areacella"], time: "fx" }),
  file("n1", { model: ["N"], ensemble: ["r1"], variable: ["tas"], time: "[1850 TO 1852]" }),
  file("n2", { model: ["n"], ensemble: ["r0"], variable: ["areacella"], time: "fx" }),
  file("n3", { model: ["n"], ensemble: ["r0"], variable: ["orog"], time: "fx" }),
  file("o1", { model: ["O"], ensemble: ["r1"], variable: ["tas"], time: "[1850 TO 1850]" }),
  file("o2", { model: ["O"], ensemble: ["r1"], variable: ["tas"], time: "[1852 TO 1852]" }),
  file("o3", { model: ["O"], ensemble: ["r1"], variable: ["areacella"], time: "fx" }),
];
const NEEDS = [
  ["group_by", "source_id,member_id"],
  ["need", "variable_id:tas;table_id:Amon;from=1850;to=1852"],
  ["need", "variable_id:areacella;on=source_id"],
] as const;

const service = useService();
beforeAll(async () => {
  service.solr.http.onCall = ({ what }) => {
    // What the service remembers, it looks at now and then by itself.
    if (what !== "state") asked.push(String(what));
  };
  await fillIndex(service.solr, DOCUMENTS);
});

type Pairs = readonly (readonly [string, string])[];
const queryOf = (pairs: Pairs): string =>
  new URLSearchParams(pairs as [string, string][]).toString();
const get = (pairs: Pairs, operation = "complete/cmip6", init: RequestInit = {}) =>
  service.get(`/databrowser/${operation}?${queryOf(pairs)}`, init);

async function answer(pairs: Pairs): Promise<Complete> {
  const response = await get(pairs);
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return Complete.parse(JSON.parse(text));
}

async function problem(pairs: Pairs, operation?: string) {
  const response = await get(pairs, operation);
  return { status: response.status, ...((await response.json()) as { detail: string }) };
}

describe("complete groups", () => {
  it("have all needs over the period, or in others of the same model if that is allowed", async () => {
    const { complete, near_misses, group_count, links } = await answer(NEEDS);
    expect(complete).toEqual([
      { source_id: "m", member_id: "r1" },
      { source_id: "n", member_id: "r1" },
    ]);
    expect(group_count).toBe(4);
    const whole = { from: "1850-01-01T00:00:00Z", to: "1852-12-31T23:59:59Z" };
    expect(near_misses).toEqual([
      { group: { source_id: "n", member_id: "r0" }, missing: [{ need: 0, gaps: [whole] }] },
      {
        group: { source_id: "o", member_id: "r1" },
        missing: [
          { need: 0, gaps: [{ from: "1851-01-01T00:00:00Z", to: "1851-12-31T23:59:59Z" }] },
        ],
      },
    ]);
    const list = await (await fetch(links.path_list)).text();
    // The area of N, which another member has, but nothing else of that member.
    expect(list.split("\n")).toEqual(["/n2", "/n1", "/m3", "/m2", "/m1", ""]);
    const catalogue = await (await fetch(links.intake_catalogue)).json();
    expect(catalogue.catalog_dict).toHaveLength(5);
    expect(catalogue.description).toContain("group_by=source_id,member_id");
    expect((await fetch(links.stac_archive)).headers.get("content-type")).toBe("application/zip");
  });

  // On a cloud the versions of several shards are asked for besides.
  it.skipIf(isOnTheCloud)(
    "take two requests to Solr, are cached as one, and computed again when the index has changed",
    async () => {
      const pairs = [...NEEDS, ["near", "0"]] as const;
      const count = async (): Promise<number> => {
        asked.length = 0;
        await answer(pairs);
        return asked.length;
      };
      await answer(NEEDS);
      await load(service.solr, [file("p1", { model: ["P"], variable: ["orog"] })]);
      // The version is asked for besides, as an answer is kept for the former one.
      expect(await count()).toBe(3);
      expect(await count()).toBe(1);
      const etag = (await get(pairs)).headers.get("etag") ?? "";
      const again = await get(pairs, undefined, { headers: { "If-None-Match": etag } });
      expect(again.status).toBe(304);
      const added = file("o4", {
        model: ["o"],
        ensemble: ["r1"],
        variable: ["TAS"],
        time: "[1851 TO 1851]",
      });
      await load(service.solr, [added]);
      const { complete } = await answer(pairs);
      expect(complete).toContainEqual({ source_id: "o", member_id: "r1" });
      asked.length = 0;
      const list = await (await get(pairs.slice(0, -1), "data-search/cmip6/file")).text();
      expect(list).toContain("/o4\n");
      // Whether the groups still hold, and the list.
      expect(asked).toHaveLength(2);
    },
  );

  it("report values of needs that no entry has, in lists as well", async () => {
    const pairs = [
      ["group_by", "source_id"],
      ["need", "variable_id:tass;variable_id:orog"],
    ] as const;
    for (const operation of ["complete/cmip6", "data-search/cmip6/file"]) {
      const { headers } = await get(pairs, operation);
      expect(headers.get("unknown-values"), operation).toBe('"variable_id=tass";near="tas"');
    }
    const known = await get([
      ["group_by", "source_id"],
      ["need", "variable_id:TAS"],
    ]);
    expect(known.headers.get("unknown-values")).toBeNull();
  });

  it("are explained, if there are none, by what is missing", async () => {
    const pairs = [...NEEDS, ["need", "variable_id:nothing"]] as const;
    const response = await get(pairs, "data-search/cmip6/file");
    expect(await response.text()).toBe("");
    const [, address = ""] = /^<(.*)>; rel="help"$/.exec(response.headers.get("link") ?? "") ?? [];
    const { near_misses } = (await (await fetch(address)).json()) as Complete;
    expect(near_misses[0]?.missing).toEqual([{ need: 2 }]);
    expect((await problem(pairs, "intake-catalogue/cmip6/file")).status).toBe(400);
    expect((await problem(pairs, "stac-catalogue/cmip6/file")).status).toBe(404);
    const behind = [...NEEDS, ["start", "1000"]] as const;
    expect((await problem(behind, "stac-catalogue/cmip6/file")).status).toBe(404);
  });
});

describe("a request for complete groups", () => {
  const needing = (need: string) => `group_by=source_id&need=${need}`;
  const values = (count: number) => Array.from({ length: count }, (_, i) => `realm:${i}`).join(";");

  it.each([
    ["without groups", "", /group_by: is required, unless require_all_on/],
    ["with needs of no groups", "need=variable_id:tas", /group_by: is required together with need/],
    ["of an unknown facet", "group_by=sourceid", /source_id/],
    ["of another flavour's facet", "group_by=model", /is called source_id in cmip6/],
    ["of what has no values", "group_by=time", /"time" cannot be used for grouping/],
    ["of users", "group_by=user", /user/],
    ["of five facets", "group_by=source_id,member_id,table_id,realm,format", /names 5 facets/],
    ["in two ways", "group_by=source_id&require_all_on=source_id", /require_all_on/],
    ["with needs and all combinations", "require_all_on=source_id&need=variable_id:tas", /need: /],
    ["with a need of a wildcard", needing("variable_id:ta*"), /wildcard/],
    ["with a need of another wildcard", needing("variable_id:ta?"), /wildcard/],
    ["with a need of no value", needing("variable_id:"), /no value for "variable_id"/],
    ["with a need of no pair", needing("tas"), /"tas", which is not of the form facet:value/],
    ["with a need of nothing", needing(";"), /at least one facet:value/],
    ["with a need of an unknown facet", needing("variableid:tas"), /variable_id/],
    ["with a need of a path", needing("file:/m1"), /"file", which/],
    ["with a need on another facet", needing("variable_id:tas;on=table_id"), /"table_id"/],
    ["with a need of no date", needing("variable_id:tas;from=yesterday"), /yesterday/],
    [
      "with a need of two beginnings",
      needing("variable_id:tas;from=1850;from=1851"),
      /from= more than once/,
    ],
    [
      "with a need that ends before it begins",
      needing("variable_id:tas;from=1851;to=1850"),
      /ends before/,
    ],
    ["with 51 needs", needing(Array(51).fill("variable_id:tas").join("&need=")), /51 times/],
    ["with too many values", needing(`${values(501)}&need=${values(500)}`), /1001 values/],
    ["with a long need", needing(`variable_id:${"x".repeat(10_001)}`), /10000 characters/],
  ])("is refused, for lists too: %s", async (_, query, told) => {
    const pairs = [...new URLSearchParams(query)];
    const { status, detail } = await problem(pairs);
    expect(detail).toMatch(told);
    expect(status).toBe(422);
    if (query !== "") expect((await problem(pairs, "data-search/cmip6/file")).status).toBe(422);
  });

  it("is refused with the number of combinations above a thousand", async () => {
    const some = (key: string, count: number): Pairs =>
      Array.from({ length: count }, (_, index) => [key, `v${index}`] as const);
    const pairs = [
      ["require_all_on", "source_id"],
      ...some("variable_id", 40),
      ...some("table_id", 26),
    ] as const;
    const { status, detail } = await problem(pairs);
    expect(status).toBe(413);
    expect(detail).toContain("1040");
    expect((await answer(pairs.slice(0, -1))).needs).toHaveLength(1000);
  });

  it("accepts the maximal number of needs and values", async () => {
    const values = (text: string) =>
      Array.from({ length: 10 }, (_, index) => `license:${text}${index}`).join(";");
    const needs = Array.from({ length: 50 }, (_, index) => ["need", values(`v${index}`)] as const);
    const { needs: told } = await answer([["group_by", "source_id"], ...needs]);
    expect(told).toHaveLength(50);
  });
});

describe("files in too many groups", () => {
  const many = (name: string, count: number): string[] =>
    Array.from({ length: count }, (_, index) => `${name}${index}`);

  it("are refused with the number of groups, and so are their lists", async () => {
    const model = many("m", 500);
    const document = (name: string, ensemble: string[]) =>
      file(name, { model, ensemble, variable: ["many"], dataset: "many" });
    await load(service.solr, [document("x1", many("r", 150)), document("x2", many("s", 53))]);
    const grouped = [
      ["dataset", "many"],
      ["group_by", "source_id,member_id"],
    ] as const;
    for (const operation of [undefined, "data-search/cmip6/file"]) {
      const { status, detail } = await problem(grouped, operation);
      expect(status).toBe(413);
      expect(detail).toContain("101500 groups");
    }
    const one = await answer([
      ["dataset", "many"],
      ["member_id", "s1"],
      ["group_by", "source_id,member_id"],
    ]);
    expect(one.complete_count).toBe(500 * 53);
    const list = await get(
      [
        ["member_id", "s1"],
        ["group_by", "source_id,member_id"],
        ["need", "variable_id:many"],
      ],
      "data-search/cmip6/file",
    );
    expect(await list.text()).toBe("/x2\n");
  });
});

describe("a Solr that breaks off", () => {
  it("gives 503 while groups are computed, and breaks a list of them", async () => {
    const many = Array.from({ length: 3000 }, (_, index) =>
      file(`broken/${"long".repeat(20)}/${index}`, { model: ["B"], variable: ["tos"] }),
    );
    await load(service.solr, [...many, file("special", { model: ["B"], variable: ["special"] })]);
    for (const clean of [true, false]) {
      const proxy = await between((body) => cut(body, 200_000, clean));
      const damaged = await startService({ endpoint: { urls: [proxy.url] } });
      const ask = (need: string, operation: string) =>
        damaged.get(
          `/databrowser/${operation}?${new URLSearchParams({ group_by: "source_id", need })}`,
        );
      for (const operation of ["complete/cmip6", "data-search/cmip6/file"]) {
        const response = await ask("variable_id:tos", operation);
        expect(response.status).toBe(503);
        await response.text();
      }
      for (const operation of ["data-search", "intake-catalogue", "stac-catalogue"]) {
        const response = await ask("variable_id:special", `${operation}/cmip6/file`);
        expect(response.status).toBe(200);
        await expect(response.arrayBuffer()).rejects.toThrow();
      }
      await damaged.close();
      proxy.close();
    }
  });
});
