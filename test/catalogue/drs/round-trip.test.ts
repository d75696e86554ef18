/** Paths that are made of any facets by the templates, read again. */
import { expect, it } from "vitest";
import { loadStandard, type Standard, shippedStandards } from "../../../src/catalogue/drs/index.js";
import type { Part } from "../../../src/catalogue/drs/template.js";
import { attempts, chance, SEED } from "../../support/run/trials.js";

/** Values that fit the patterns of the standards, whatever else they are like. */
const FITTING: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  cmip6: { ensemble: ["r1i1p1f1", "s1960-r10i1p1f2"], product: ["CMIP", "DCPP", "ISMIP6"] },
  cmip7: {
    ensemble: ["r1i1p1f1", "r1i196011ap1f1"],
    project: ["CMIP7"],
    branding_suffix: ["tavg-h2m-hxy-u"],
  },
  cmip5: { ensemble: ["r1i1p1", "r0i0p0"], product: ["output1", "unsolicited"] },
  cordex: { ensemble: ["r1i1p1"], rcm_version: ["v1", "v1a", "v2-bs"] },
  "cordex-cmip6": { ensemble: ["r1i1p1f1"], project: ["CORDEX-CMIP6"], rcm_version: ["v1-r1"] },
  nextgems: {},
  obs4mips: { project: ["obs4MIPs"] },
  freva: { ensemble: ["r1i1p1", "r1i1p1f1"], project: ["observations", "reanalysis"] },
};
const LETTERS = "abcXYZ019.-+ üΩ気";
const TIMES = ["1850-1859", "200001-200012", "20000101-20001230", "200001010130-200001010430"];

it.each([...shippedStandards().keys()])(
  "a path of %s gives the facets that it was made of",
  async (name) => {
    const standard: Standard = await loadStandard(name);
    const random = chance(SEED);
    const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
    const value = (field: string, known: Map<string, string>): string => {
      const before = known.get(field);
      if (before !== undefined) return before;
      const made =
        FITTING[name]?.[field] !== undefined
          ? pick(FITTING[name]?.[field] ?? [])
          : field === "version"
            ? `v${Math.floor(random() * 1e8)}`
            : field === "time"
              ? pick(TIMES)
              : // A name of dots alone is no folder of its own.
                `x${Array.from({ length: 1 + random() * 8 }, () => pick([...LETTERS])).join("")}`;
      known.set(field, made);
      return made;
    };
    const text = (parts: readonly Part[], known: Map<string, string>): string =>
      parts.map((part) => ("literal" in part ? part.literal : value(part.field, known))).join("");
    for (let i = 0; i < attempts(300, 20_000); i++) {
      const known = new Map<string, string>();
      const form = pick(standard.definition.folders);
      for (const [field, pattern] of form.patterns) known.set(field, pattern.text);
      const file = pick(standard.definition.files);
      const folders = form.folders.map((folder) => text(folder, known)).join("/");
      const path = `/any/root/${folders}/${text(file.parts, known)}.nc`;
      const { time, version, _, ...facets } = Object.fromEntries(known) as Record<string, string>;
      const read = standard.read(path);
      expect(read, `SEED=${SEED} ${path}`).toMatchObject({
        facets: { ...facets, ...Object.fromEntries(form.facets) },
        version,
        notes: [],
      });
      expect("time" in read && read.time !== undefined, path).toBe(time !== undefined);
    }
  },
);
