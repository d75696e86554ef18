/** Reads the operator's references (CITATIONS). */
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import { type CitationRule, citationRule } from "../../domain/citations/sources.js";
import { InvalidConfig } from "./derived.js";

const rules = z.array(
  z
    .strictObject({
      dataset: z.string().min(1),
      title: z.string().min(1),
      authors: z.array(z.string().min(1)).default([]),
      year: z.int().min(1000).max(9999).optional(),
      publisher: z.string().min(1).optional(),
      doi: z
        .string()
        .regex(/^10\.\d+\/\S+$/, "must be as 10.22033/ESGF/CMIP6.742")
        .optional(),
      url: z.url({ protocol: /^https?$/ }).optional(),
    })
    .transform(({ dataset, ...reference }) => citationRule(dataset, reference)),
);

/** The rules of a YAML file. The first rule that matches holds. */
export function citationRules(path: string | undefined): readonly CitationRule[] {
  if (path === undefined) return [];
  const wrong = (reason: string): InvalidConfig =>
    new InvalidConfig(`CITATIONS names ${JSON.stringify(path)}, ${reason}.`);
  let value: unknown;
  try {
    value = parse(readFileSync(path, "utf8"));
  } catch (error) {
    const [reason = ""] = String((error as Error).message).split("\n");
    throw wrong(`which cannot be read: ${reason.replace(/[.:]$/, "")}`);
  }
  const read = rules.safeParse(value ?? []);
  if (read.success) return read.data;
  const { path: keys, message } = read.error.issues[0] ?? { path: [], message: "" };
  const where = keys.map((part) => (typeof part === "number" ? `entry ${part + 1}` : part));
  throw wrong(`which is wrong at ${where.join(", ") || "its top"}: ${message}`);
}
