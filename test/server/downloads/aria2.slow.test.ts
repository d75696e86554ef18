/** The lists for aria2, taken by aria2 itself. */
import { mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ARIA2, findProgram } from "../../support/programs/debian.js";
import { execute, type StoredFile, saved, sha256, useOddDownloads } from "./scene.js";

const aria2 = findProgram(ARIA2);
const { tops, data, stored, get } = await useOddDownloads();
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
