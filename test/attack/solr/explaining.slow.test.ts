/** Whatever is searched for, how much there is and why there is nothing is told, or refused by name, in bounds. */
import { beforeAll, describe, expect, it } from "vitest";
import type { MetadataSearchResult, Summary, Why } from "../../../generated/schemas.js";
import { CONTROLS, ODD_TEXTS } from "../../support/data/odd-texts.js";
import { expectBelow } from "../../support/run/bounds.js";
import { allowed, attempts, chance, patience, SEED } from "../../support/run/trials.js";
import { emptyIndex, load } from "../../support/service/service.js";
import { useService } from "../../support/service/use-service.js";
import { cut, useWire } from "../../support/solr/wire.js";

const COUNT = attempts(4000, 40_000);
/** Of the answers that Solr gives, so many bytes come through while it dies. */
let dies: number | undefined;
const wire = useWire((body) => (dies === undefined ? body : cut(body, dies, false)));
const service = useService(() => ({ endpoint: { urls: [wire.url] } }));
beforeAll(async () => {
  await emptyIndex(service.solr);
  const documents = Array.from({ length: COUNT }, (_, i) => ({
    file: `/explained/${i}.nc`,
    project: ["explained"],
    model: [`m${i % 7}`],
    variable: [`v${i % 7}`],
    ensemble: [`r${i}i1p1f1`],
    checksum: `sha256:${(i * 7919).toString(16).padStart(64, "0")}`,
  }));
  const own = { file: "/own/1.nc", user: "jane", project: ["own"] };
  await load(service.solr, [...documents, own]);
}, patience(60_000));

const random = chance(SEED);
const below = (most: number): number => Math.floor(random() * most);

/** Without wildcards: they would find something. */
const SPECIAL = [...ODD_TEXTS, ...CONTROLS].filter((text) => !/[*?]/.test(text));
const odd = (): string =>
  `v${Array.from({ length: 1 + below(8) }, () => SPECIAL[below(SPECIAL.length)]).join("")}`;

async function ask<T>(operation: string, query: URLSearchParams | string): Promise<T> {
  const response = await service.get(`/databrowser/${operation}/native/file?${query}`);
  const text = await response.text();
  expect(response.status, `SEED=${SEED}, ${query}: ${text}`).toBe(200);
  return JSON.parse(text) as T;
}

const several = (key: string, values: readonly string[]) =>
  new URLSearchParams(values.map((value) => [key, value]));

describe("the explanation of a search", () => {
  it("treats every text as text", async () => {
    for (let turn = 0; turn < attempts(8, 300); turn++) {
      const values = Array.from({ length: 20 }, odd);
      for (const key of ["variable", "dataset_id", "long_name", "file"]) {
        const answer = await ask<Why>("why", several(key, values));
        expect(answer.total_count).toBe(0);
        const [told] = answer.constraints;
        expect(told?.values, `SEED=${SEED}`).toEqual(values);
        expect(told?.count_without).toBe(COUNT);
        expect(told?.unmatched).toHaveLength(values.length);
        expect(answer.excluding).toEqual([key]);
        expect(JSON.stringify(told?.unmatched)).not.toMatch(/jane|"own"/);
      }
      expect((await ask<Summary>("summary", several("variable", values))).files).toBe(0);
    }
  });

  it("is bounded for a search of the largest size", async () => {
    const thousand = Array.from({ length: 1000 }, (_, i) => `m${7 + i}`);
    const started = performance.now();
    const many = await ask<Why>("why", several("model", thousand));
    const [told] = many.constraints;
    expect(told?.values).toHaveLength(1000);
    expect(told?.unmatched).toHaveLength(50);
    expect(told?.unmatched[0]?.near).toHaveLength(5);
    const long = Array.from({ length: 50 }, (_, i) => `${i}${"sha256:0".repeat(40)}`.slice(0, 200));
    expect((await ask<Why>("why", several("checksum", long))).excluding).toEqual(["checksum"]);
    const wild = Array.from({ length: 100 }, (_, i) => `*x${i}*`);
    expect((await ask<Why>("why", several("ensemble", wild))).total_count).toBe(0);
    expect((await ask<Summary>("summary", several("ensemble", wild))).files).toBe(0);
    expectBelow(performance.now() - started, allowed(15_000));
    for (const operation of ["why", "summary"]) {
      const path = `/databrowser/${operation}/native/file`;
      const refused = [
        await service.get(`${path}?${several("model", [...thousand, "m"])}`),
        await service.get(`${path}?${several("ensemble", [...wild, ...wild, "*"])}`),
        await service.get(`${path}?user_name=x`),
      ];
      expect(refused.map(({ status }) => status)).toEqual([422, 422, 422]);
    }
  });

  it("is given to many requests at once, each for a search of its own", async () => {
    const answers = await Promise.all(
      Array.from({ length: attempts(50, 100) }, async (_, i) => {
        const query = `ensemble=r${i}i1p1f1&variable=v${(i + 1) % 7}&project=explained`;
        const { excluding } = await ask<Why>("why", query);
        const { files } = await ask<Summary>("summary", `ensemble=r${i}i1p1f1`);
        return [excluding?.toSorted(), files];
      }),
    );
    expect(answers).toEqual(answers.map(() => [["ensemble", "variable"], 1]));
  });

  it("is 503 and never a part of it while Solr dies, and right when it is back", async () => {
    const query = "ensemble=r1i1p1f2&variable=v0";
    const expected = await ask<Why>("why", query);
    for (const bytes of [0, 40, 90]) {
      for (const operation of ["why", "summary", "metadata-search"]) {
        dies = bytes;
        const path = `/databrowser/${operation}/native/file?${query}&project_not_=x${bytes}`;
        const response = await service.get(path);
        dies = undefined;
        expect(response.status, `${path}: ${await response.text()}`).toBe(503);
      }
    }
    expect(await ask<Why>("why", query)).toEqual(expected);
    const { links } = await ask<MetadataSearchResult>("metadata-search", query);
    expect(await (await fetch(links?.why ?? "")).json()).toEqual(expected);
  });
});
