/**
 * Writes the parts of openapi.yaml that follow from the vocabulary: a parameter for each facet name, its reference in
 * every operation that takes filters, the facets of user data, and the formats of lists.
 *
 * The parts are between the comments `# made from src/domain/vocabulary: <part>` and `# end of <part>`, so that the file is
 * served as written. `npm run generate` updates them.
 */
import { DETAIL_NAMES, DETAILS, SEARCHABLE_DETAILS } from "../../src/domain/vocabulary/details.js";
import { FACET_NAMES, FACETS, type Facet } from "../../src/domain/vocabulary/facets.js";
import {
  type BuiltIn,
  FLAVOUR_NAMES,
  FLAVOURS,
  searchableFacets,
  translation,
} from "../../src/domain/vocabulary/flavours.js";
import { FORMAT_PARTS } from "./declared-formats.js";

/** A query parameter that filters by values. */
export interface FilterName {
  readonly name: string;
  readonly description: string;
  readonly example: string;
  /** The facet that it means in each flavour that has it; undefined if it is the same in all. */
  readonly facets?: Readonly<Partial<Record<BuiltIn, Facet>>>;
}

/** Facets whose parameters are hand-written because their values have a syntax. */
const WRITTEN_BY_HAND = new Set<Facet>(["time", "bbox"]);
const LOCATIONS: readonly FilterName[] = [
  {
    name: "file",
    description: "Path of the file, with regard to case. In every flavour.",
    example: "*/tas_Amon_*",
  },
  {
    name: "uri",
    description: "URI of the file, with regard to case. In every flavour.",
    example: "*/tas_Amon_*",
  },
  {
    name: "version",
    description: "Version of the data set. In every flavour with `multi-version=true` only.",
    example: "v20190710",
  },
];

/** Details, which have the same names in all flavours. */
const OF_FILES: readonly FilterName[] = SEARCHABLE_DETAILS.map((name) => {
  const { description, example, kind } = DETAILS[name];
  const values = kind === "flag" ? ": true or false" : "";
  return { name, description: `${description}${values}. In every flavour.`, example };
});

interface Use {
  readonly flavour: BuiltIn;
  readonly facet: Facet;
}

/** The filter names of all flavours: native ones first, in the order of facets. */
export function filterNames(): FilterName[] {
  const uses = new Map<string, Use[]>();
  for (const flavour of FLAVOUR_NAMES) {
    for (const facet of searchableFacets(FLAVOURS[flavour])) {
      if (WRITTEN_BY_HAND.has(facet)) continue;
      const name = translation(FLAVOURS[flavour]).name(facet);
      uses.set(name, [...(uses.get(name) ?? []), { flavour, facet }]);
    }
  }
  return [...[...uses].map(([name, all]) => filterName(name, all)), ...LOCATIONS, ...OF_FILES];
}

function filterName(name: string, uses: readonly Use[]): FilterName {
  const meanings = [...new Set(uses.map(({ facet }) => facet))].map((facet) => {
    const flavours = uses.filter((use) => use.facet === facet).map(({ flavour }) => flavour);
    // With `translate=false` every flavour uses the native names.
    const other = facet === name ? " and wherever `translate=false`" : ` (\`${facet}\` in native)`;
    const where =
      flavours.length === FLAVOUR_NAMES.length || FACETS[facet].ofUserData
        ? listed(flavours)
        : listed(flavours) + other;
    return `${FACETS[facet].description}. In ${where}.`;
  });
  const [{ flavour, facet }] = uses as [Use];
  const examples: Partial<Record<Facet, string>> = FLAVOURS[flavour].examples ?? {};
  const example = examples[facet] ?? FACETS[facet].example;
  const facets = Object.fromEntries(uses.map((use) => [use.flavour, use.facet]));
  return { name, description: meanings.join(" "), example, facets };
}

const listed = (names: readonly string[]): string =>
  names.length === FLAVOUR_NAMES.length
    ? "every flavour"
    : names.length > 1
      ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`
      : names.join("");

/** The component name: `source_id` -> `FilterSourceId`. */
const component = (name: string): string =>
  `Filter${name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}`;

const text = (value: string): string => JSON.stringify(value);

const flow = (members: Readonly<Record<string, string>>): string =>
  `{ ${Object.entries(members)
    .map((pair) => pair.join(": "))
    .join(", ")} }`;

const parameters = (): string[] =>
  filterNames().flatMap(({ name, description, example, facets }) => [
    `${component(name)}:`,
    `  name: ${name}`,
    "  in: query",
    "  x-filter: named",
    ...(facets ? [`  x-facets: ${flow(facets)}`] : []),
    `  description: ${text(`${description} \`!\` before a value excludes it.`)}`,
    "  style: form",
    "  explode: true",
    '  schema: { type: array, items: { $ref: "#/components/schemas/FilterValue" } }',
    `  example: [${text(example)}]`,
  ]);

const references = (): string[] =>
  filterNames().map(({ name }) => `- $ref: "#/components/parameters/${component(name)}"`);

/** Facets of user data that are not generated: required ones are hand-written, and `user` comes from the token. */
const OTHERWISE = new Set<Facet>(["time", "bbox", "user", "variable", "time_frequency"]);

const properties = (): string[] =>
  FACET_NAMES.filter((facet) => !OTHERWISE.has(facet)).flatMap((facet) => {
    const { description, example, single } = FACETS[facet];
    if (single) {
      return [
        `${facet}: { type: string, description: ${text(description)}, example: ${text(example)} }`,
      ];
    }
    return [
      `${facet}:`,
      "  type: array",
      "  x-or-one: true",
      `  description: ${text(`${description}; one or several.`)}`,
      "  items: { type: string }",
      `  example: [${text(example)}]`,
    ];
  });

/** Details that user data may set; the service sets the others. */
const details = (): string[] =>
  DETAIL_NAMES.filter((detail) => !DETAILS[detail].derived).flatMap((detail) => {
    const { description, example, kind, several } = DETAILS[detail];
    const words = several ? `${description}; one or several.` : description;
    const type = {
      text: "string",
      bytes: "integer, minimum: 0",
      timestamp: "string",
      flag: "boolean",
    };
    const value = kind === "text" || kind === "timestamp" ? text(example) : example;
    if (!several) {
      const form = kind === "timestamp" ? `${description}, ISO 8601` : description;
      return [`${detail}: { type: ${type[kind]}, description: ${text(form)}, example: ${value} }`];
    }
    return [
      `${detail}:`,
      "  type: array",
      "  x-or-one: true",
      `  description: ${text(words)}`,
      "  items: { type: string }",
      `  example: [${value}]`,
    ];
  });

const flavours = (): string[] => [`examples: [${FLAVOUR_NAMES.join(", ")}]`];

const PARTS: Readonly<Record<string, () => string[]>> = {
  "filter parameters": parameters,
  filters: references,
  flavours,
  "facets of user data": properties,
  "details of user data": details,
  ...FORMAT_PARTS,
};

/**
 * Returns the contract with updated parts.
 *
 * @param contract the text of openapi.yaml
 * @throws Error if a part is missing, unknown, or has no end
 */
export function declareFacets(contract: string): string {
  const seen = new Set<string>();
  const written = contract.replaceAll(
    /^( *)# made from src\/domain\/vocabulary: (.+)\n([\s\S]*?)^ *# end of \2\n/gm,
    (_, indent: string, part: string) => {
      const lines = PARTS[part];
      if (lines === undefined) throw new Error(`openapi.yaml: there is no part ${part}`);
      seen.add(part);
      const body = lines().map((line) => `${indent}${line}\n`);
      return `${indent}# made from src/domain/vocabulary: ${part}\n${body.join("")}${indent}# end of ${part}\n`;
    },
  );
  const missing = Object.keys(PARTS).filter((part) => !seen.has(part));
  if (missing.length > 0) throw new Error(`openapi.yaml lacks ${missing.join(", ")}`);
  return written;
}
