/** The lists for aria2, taken by aria2 itself. */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ARIA2, findProgram } from "../../support/programs/debian.js";
import { emptyIndex, load } from "../../support/service/service.js";
import { useService } from "../../support/service/use-service.js";
import { execute, ODD_NAMES, type StoredFile, saved, sha256, storeFiles } from "./scene.js";

const aria2 = findProgram(ARIA2);
const tops = await mkdtemp(join(tmpdir(), "climate-aria2-"));
const data = join(tops, "data");

let stored: StoredFile[];

const service = useService({ dataRoots: [data], publicData: "project=cmip6" });
beforeAll(async () => {
  const all = await storeFiles(
    data,
    ODD_NAMES.map((name, index) => ({ name, content: randomBytes(500 + index) })),
  );
  stored = all.stored;
  const bare = await storeFiles(join(data, "x"), [
    { name: "plain.nc", content: randomBytes(77), bare: true },
    { name: "PLAIN.nc", content: randomBytes(78) },
  ]);
  await emptyIndex(service.solr);
  await load(service.solr, [
    ...all.documents,
    ...bare.documents.map((one) => ({ ...one, product: ["same"] })),
  ]);
});
afterAll(() => rm(tops, { recursive: true, force: true }));

const get = async (query: string, init?: RequestInit): Promise<string> => {
  const response = await service.get(`/databrowser/download/native/file?${query}`, init);
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return text;
};
const odd = "layout=flat&product_not_=same";
const isPlain = ({ file }: StoredFile): boolean => !/[\n\r]/.test(file);

describe.skipIf(aria2 === undefined)("aria2", () => {
  const options = ["--no-conf", "-q", "-j4", "--check-integrity=true", "--allow-overwrite=false"];

  it("accepts its list, and Metalink, and checks the sums", async () => {
    for (const [form, option] of [
      ["aria2", "-i"],
      ["metalink", "-M"],
    ]) {
      const to = await mkdtemp(join(tops, "aria2-"));
      const list = join(tops, `list.${form}`);
      await writeFile(list, await get(`as=${form}&${odd}`));
      await execute(aria2?.path ?? "", [...options, "-d", to, `${option}${list}`], {
        env: aria2?.env,
      });
      const found = await saved(to);
      expect(found.size).toBe(stored.length);
      const sums = [...found.values()].map(sha256).sort();
      expect(sums).toEqual(stored.map(({ content }) => sha256(content)).sort());
      if (form === "metalink") continue;
      for (const { file, content } of stored.filter(isPlain)) {
        const name = file.slice(data.length + 1);
        if (name.trim() !== name || /\p{Cc}/u.test(name)) continue;
        expect(found.get(name)?.equals(content), name).toBe(true);
      }
    }
  });
});
