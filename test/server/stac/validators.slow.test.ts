/** Random items of all kinds against STAC's schemas, by pystac and by stac-node-validator. */
import { beforeAll, describe, expect, it } from "vitest";
import { PREFIX } from "../../../generated/prefix.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { randomDocuments } from "../../support/data/random-documents.js";
import { pythonOf, runWithInput } from "../../support/programs/python.js";
import { type Finding, stacNodeValidator, stacSchemas } from "../../support/programs/stac-tools.js";
import { attempts, chance, SEED } from "../../support/run/trials.js";
import { load, type TestDocument } from "../../support/service/service.js";
import { useService } from "../../support/service/use-service.js";

const ITEMS = attempts(150, 1000);

const service = useService({ documents: "sample" });
beforeAll(async () => {
  const { refused } = await load(service.solr, drawn(attempts(3, 20)));
  expect(refused).toBe(0);
}, 300_000);

/** Documents by chance, each draw with institutes and paths of its own, so that their datasets are others. */
function drawn(draws: number): TestDocument[] {
  const random = chance(SEED);
  return Array.from({ length: draws }, (_, draw) =>
    randomDocuments(random).posted.map((document): TestDocument => {
      const { file, institute = "none" } = document;
      const own = [institute].flat().map((one) => `${String(one)}-${draw}`);
      const checksum = random() < 0.5 ? { checksum: `md5:${"0d".repeat(16)}` } : {};
      return { ...document, ...checksum, file: `/draw${draw}${file}`, institute: own };
    }),
  ).flat();
}

/** The validator takes no address without a host but of files; a generic URI may have an empty one (RFC 3986, 3.2.2). */
function isOwnFault({ keyword, instancePath }: Finding, document: object): boolean {
  if (keyword !== "format" || !instancePath.endsWith("/href")) return false;
  const value = instancePath
    .split("/")
    .slice(1)
    .reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], document);
  return /^(?!file:)[a-z0-9]+:\/\/\//.test(String(value));
}

describe("random items", () => {
  it("are valid by pystac, each by itself and all by validate_all", async () => {
    const address = `${service.address}${PREFIX}/stac`;
    for (const task of ["items", "all"]) {
      const script = packagePath("test", "python", "stac_clients.py");
      const text = await runWithInput([script, task, address], "", pythonOf("stac"));
      const counts = JSON.parse(text) as { items: number; collections: number };
      expect(counts.items, task).toBeGreaterThanOrEqual(ITEMS);
      expect(counts.collections, task).toBeGreaterThan(4);
    }
  }, 600_000);

  it("are valid by stac-node-validator, and so are collections and the landing page", async () => {
    const validate = await stacNodeValidator(await stacSchemas());
    const get = async <T>(path: string): Promise<T> =>
      (await (await service.get(`/stac${path}`)).json()) as T;
    const items: object[] = [];
    let path: string | undefined = "/search?limit=250";
    while (path !== undefined) {
      const page: { features: object[]; links: { rel: string; href: string }[] } = await get(path);
      items.push(...page.features);
      const next = page.links.find(({ rel }) => rel === "next");
      path = next?.href.slice(`${service.address}${PREFIX}/stac`.length);
    }
    expect(items.length).toBeGreaterThanOrEqual(ITEMS);
    const { collections } = await get<{ collections: object[] }>("/collections");
    const documents = [await get<object>(""), ...collections, ...items];
    const reports = await validate(documents);
    expect(reports).toHaveLength(documents.length);
    for (const [index, { id, results }] of reports.entries()) {
      const wrong = results.core.filter((error) => !isOwnFault(error, documents[index] ?? {}));
      expect(wrong, id).toEqual([]);
    }
    // The validator is at work.
    const [broken] = await validate([{ ...items[0], geometry: 5 }]);
    expect(broken?.valid).toBe(false);
  }, 300_000);
});
