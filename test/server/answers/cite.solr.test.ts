/** What to cite for the data of a search. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { CslItems } from "../../../generated/schemas.js";
import { citationRule, SourceAccumulator } from "../../../src/domain/citations/sources.js";
import { citationFormat } from "../../../src/server/formats/citations.js";
import { readConfig } from "../../../src/server/settings/config.js";
import { freshFolder } from "../../support/run/folders.js";
import { jsonRequest } from "../../support/service/sign-in.js";
import { useService } from "../../support/service/use-service.js";

const HOSTILE = 'CC & BY_4.0 {x} \\ 100% #1 $a$ ~^ } "q"\n@misc{evil, ünï}';
const cmip6 = (experiment: string, variable: string, more: object = {}) => ({
  file: `/cmip6/${experiment}_${variable}.nc`,
  project: ["CMIP6"],
  product: ["CMIP"],
  institute: ["MPI-M"],
  model: ["MPI-ESM1-2-LR"],
  experiment: [experiment],
  ensemble: ["r1i1p1f1"],
  cmor_table: ["Amon"],
  variable: [variable],
  grid_label: ["gn"],
  version: "v20190710",
  ...more,
});
const other = (model: string, more: object = {}) => ({
  file: `/other/${model}.nc`,
  project: ["own"],
  product: ["p"],
  model: [model],
  experiment: ["e"],
  variable: ["tas"],
  ...more,
});
const WDCC = "https://www.wdc-climate.de/ui/cmip6?input=CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR";
const INFO = "https://furtherinfo.es-doc.org/own_a%20b#x";
const RULES = `
- dataset: own.p.ref*
  title: Ünï & the "100% model"
  authors: ["Doe, Jane", "Group of A and B"]
  year: 2024
  publisher: The {Centre}
  doi: 10.1234/abc_d
`;

const folder = freshFolder();
beforeAll(() => writeFile(join(folder, "citations.yaml"), RULES));
const service = useService({
  citations: join(folder, "citations.yaml"),
  clock: () => Date.parse("2026-01-31T12:00:00Z"),
  documents: [
    cmip6("historical", "tas", { license: "CC BY 4.0" }),
    cmip6("historical", "pr", { license: "CC BY-SA 4.0" }),
    cmip6("ssp585", "tas"),
    other("known", { further_info_url: INFO, license: HOSTILE }),
    other("script", { further_info_url: "javascript:alert(1)" }),
    other("ref-1"),
    other("ref-2"),
    { file: "/loose.nc" },
  ],
});

async function cite(query: string, headers = {}): Promise<Response> {
  const response = await service.get(`/databrowser/cite/native?${query}`, { headers });
  expect(response.status, query).toBe(200);
  return response;
}

/** Entries of BibTeX by their keys, their fields as text: braces are counted as BibTeX does. */
function entries(text: string): Record<string, Record<string, string>> {
  const found: Record<string, Record<string, string>> = {};
  let at = 0;
  const braced = (): string => {
    let depth = 0;
    const from = at;
    do {
      if (text[at] === "{") depth += 1;
      if (text[at] === "}") depth -= 1;
      at += 1;
      if (at > text.length) throw new Error("a brace is not closed");
    } while (depth > 0);
    return text.slice(from + 1, at - 1);
  };
  for (at = text.indexOf("@misc"); at >= 0; at = text.indexOf("@misc", at)) {
    at += 5;
    const body = braced();
    const [, key = "", rest = ""] = /^([^,\s]+),\n(.*)$/s.exec(body) ?? [];
    const lines = [...rest.matchAll(/^ {2}([a-z]+) = \{(.*)\},$/gm)];
    expect(lines.map(([line]) => `${line}\n`).join("")).toBe(rest);
    found[key] = Object.fromEntries(lines.map(([, name, value]) => [name, value]));
  }
  return found;
}

const NAMED: Readonly<Record<string, string>> = {
  textbackslash: "\\",
  textbraceleft: "{",
  textbraceright: "}",
  textasciitilde: "~",
  textasciicircum: "^",
};
/** A field as TeX shows it. */
const shown = (text = ""): string =>
  text.replaceAll(/\\(text[a-z]+)\{\}|\\(.)|[{}]/g, (_, name, one) => NAMED[name] ?? one ?? "");

describe("citations of a search", () => {
  it("are a paragraph for each source, and name what is not known", async () => {
    const text = await (await cite("")).text();
    expect(text.split("\n\n")).toEqual([
      `CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical
  Citation: ${WDCC}.historical
  Authors: see the address
  Licence: CC BY 4.0; CC BY-SA 4.0
  Versions: v20190710
  2 files in 2 datasets`,
      `CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.ssp585
  Citation: ${WDCC}.ssp585
  Authors: see the address
  Licence: not known
  Versions: v20190710
  1 file in 1 dataset`,
      expect.stringMatching(/^own\.p\.known\.e.*\n {2}Citation: https:\/\/furtherinfo/),
      expect.stringMatching(
        /^own\.p\.script\.e.*\n {2}Citation: not known\n {2}Authors: not known\n/,
      ),
      expect.stringMatching(
        /^Doe, Jane; Group of A and B \(2024\)\. Ünï & .*\n {2}Citation: https:\/\/doi\.org\/10\.1234\/abc_d\n/,
      ),
      "Files without a dataset: 1\n  Citation: not known",
      "Accessed: 2026-01-31\n",
    ]);
  });

  it("are BibTeX of the same text, whatever the files contain", async () => {
    const response = await cite("format=bibtex");
    expect(response.headers.get("content-type")).toMatch(/^application\/x-bibtex/);
    const found = Object.values(entries(await response.text()));
    expect(found).toHaveLength(5);
    const [historical, , known, , reference] = found;
    expect(historical?.url).toBe(`${WDCC}.historical`);
    expect(known?.url).toBe(INFO);
    expect(shown(known?.note)).toContain(`Licence: ${HOSTILE.replace("\n", " ")}`);
    expect(reference).toMatchObject({
      author: "Doe, Jane and {Group of A and B}",
      title: '{Ünï \\& the "100\\% model"}',
      year: "2024",
      doi: "10.1234/abc_d",
    });
    expect(shown(reference?.publisher)).toBe("The {Centre}");
    expect(shown(reference?.note)).toContain("2 files in 2 datasets");
  });

  it("are CSL-JSON, by format and by Accept, with the references of the operator", async () => {
    const response = await cite("format=csl-json&format=nc");
    expect(response.headers.get("vary")).toMatch(/Accept/);
    const items = CslItems.parse(await response.json());
    const accept = { Accept: "application/vnd.citationstyles.csl+json" };
    expect(await (await cite("", accept)).json()).toEqual(items);
    expect(new Set(items.map(({ id }) => id)).size).toBe(5);
    expect(items[4]).toMatchObject({
      id: "Uni-the-100-model",
      author: [{ family: "Doe", given: "Jane" }, { literal: "Group of A and B" }],
      issued: { "date-parts": [[2024]] },
      DOI: "10.1234/abc_d",
      accessed: { "date-parts": [[2026, 1, 31]] },
    });
    expect(items[3]).not.toHaveProperty("URL");
  });

  it("are available for a cart, and linked from datasets", async () => {
    const cart = async (format: string) => {
      const searches = [
        { parameters: { experiment: ["ssp585"] } },
        { parameters: { model: ["ref-1"] } },
      ];
      const response = await service.get(
        "/databrowser/cart/native/file",
        jsonRequest("POST", { format, searches }),
      );
      expect(response.status, format).toBe(200);
      return response;
    };
    const both = "experiment=ssp585&experiment=e&model=MPI-ESM1-2-LR&model=ref-1";
    expect(await (await cart("bibtex")).text()).toBe(
      await (await cite(`format=bibtex&${both}`)).text(),
    );
    expect(await (await cart("csl-json")).json()).toHaveLength(2);
    expect(await (await cart("text")).text()).toMatch(/ssp585/);
    const page = (await (await service.get("/databrowser/datasets/native")).json()) as {
      datasets: { citation_url: string | null }[];
    };
    expect(page.datasets.map(({ citation_url }) => citation_url)).toEqual([
      `${WDCC}.historical`,
      `${WDCC}.historical`,
      `${WDCC}.ssp585`,
      null,
      "https://doi.org/10.1234/abc_d",
      "https://doi.org/10.1234/abc_d",
      null,
      null,
    ]);
  });

  it("have their own address for each form, and are empty if nothing is found", async () => {
    for (const [form, path] of [
      ["bibtex", "bibtex"],
      ["csl-json", "csl"],
    ]) {
      const alone = await service.get(`/databrowser/cite/native/${path}?model=known`);
      expect(await alone.text()).toBe(await (await cite(`format=${form}&model=known`)).text());
    }
    expect(await (await cite("model=nothing")).text()).toMatch(/^Nothing is found\.\n\nAccessed: /);
    expect(await (await cite("model=nothing&format=bibtex")).text()).toBe("");
    expect(await (await cite("model=nothing&format=csl-json")).json()).toEqual([]);
  });
});

describe("a citation", () => {
  it.each([
    [100, "and 90 more", ""],
    [101, "and more", "; and more"],
    [150, "and more", "; and more"],
  ])(
    "says of %i versions, addresses and licences whether some are left out",
    async (count, more, moreLicences) => {
      const number = (at: number) => String(at).padStart(3, "0");
      const files = Array.from({ length: count }, (_, at) => ({
        dataset_id: "own.one",
        version: `v${number(at)}`,
        license: `CC ${number(at)}`,
        further_info_url: `https://example.org/${number(at)}`,
      }));
      async function* batches() {
        // Texts that are there already are not left out.
        yield [...files, ...files.slice(0, 2)];
      }
      let text = "";
      for await (const piece of citationFormat("text", [], "2026-01-31").write(batches()))
        text += piece;
      const some = (prefix: string, length: number) =>
        Array.from({ length }, (_, at) => `${prefix}${number(at)}`);
      expect(text.split("\n").slice(3, 6)).toEqual([
        `  Licence: ${some("CC ", 100).join("; ")}${moreLicences}`,
        `  Further information: ${some("https://example.org/", 10).join(" ")} ${more}`,
        `  Versions: ${some("v", 10).join(", ")} ${more}`,
      ]);
    },
  );
});

describe("the operator's references", () => {
  it("have an address of WDC Climate only if it is for all of their datasets", () => {
    const addresses = (...experiments: readonly string[]) => {
      const reference = { title: "All runs", authors: [] };
      const gathered = new SourceAccumulator([citationRule("CMIP6.*", reference)]);
      for (const experiment of experiments) {
        gathered.add({
          dataset_id: `CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.${experiment}.r1i1p1f1.Amon`,
          further_info_url: `https://furtherinfo.es-doc.org/CMIP6.${experiment}`,
        });
      }
      return gathered.sources.map(({ url }) => url);
    };
    expect(addresses("historical", "historical")).toEqual([`${WDCC}.historical`]);
    expect(addresses("historical", "ssp585", "historical")).toEqual([undefined]);
  });

  it.each([
    ["- dataset: a\n  titel: b", /entry 1/],
    [
      "- dataset: a\n  title: b\n- dataset: c\n  title: d\n  doi: https://doi.org/10.1/x",
      /entry 2, doi: must be as 10\./,
    ],
    ["a: b", /its top/],
    ["{", /cannot be read/],
  ])("are refused at the start: %j", async (text, reason) => {
    const path = join(folder, "wrong.yaml");
    await writeFile(path, text);
    expect(() => readConfig({ CITATIONS: path })).toThrow(reason);
    expect(() => readConfig({ CITATIONS: join(folder, "none") })).toThrow(
      /^CITATIONS names .*ENOENT|no such file/,
    );
  });
});
