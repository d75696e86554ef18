/** The parts of openapi.yaml that follow from the formats of lists: their names and media types. */
import {
  FORMAT_NAMES,
  type FormatName,
  formatFacts,
  formatsOf,
} from "../../src/domain/vocabulary/list-formats.js";

const text = (value: string): string => JSON.stringify(value);
const list = (values: readonly string[]): string => `[${values.join(", ")}]`;

/** A media type for each format, but for those that all answers have and those whose content has a schema of its own. */
const mediaTypes = (names: readonly FormatName[]): string[] =>
  names
    .map(formatFacts)
    .flatMap(({ type, isBinary, example }) =>
      example === undefined
        ? []
        : [
            `${type}:`,
            `  schema: { type: string${isBinary ? ", format: binary" : ""} }`,
            `  example: ${text(example)}`,
          ],
    );

const described = (name: FormatName): string => {
  const { title, use } = formatFacts(name);
  return `\`${name}\` (${title}: ${use})`;
};

const constants = (names: readonly FormatName[]): string[] =>
  names.map((name) => formatFacts(name).constant ?? name.toUpperCase().replaceAll("-", "_"));

export const FORMAT_PARTS: Readonly<Record<string, () => string[]>> = {
  "media types of tables": () => mediaTypes(formatsOf("searchExtended")),
  "media types of downloads": () => mediaTypes(formatsOf("downloadData")),
  "media types of citations": () => mediaTypes(formatsOf("cite")),
  "formats of carts": () => [
    `description: ${text(`What is made of all that is found: ${FORMAT_NAMES.map(described).join(", ")}.`)}`,
    `enum: ${list(FORMAT_NAMES)}`,
  ],
  "formats of downloads": () => {
    const names = formatsOf("downloadData");
    return [`enum: ${list(names)}`, `x-enum-varnames: ${list(constants(names))}`];
  },
};
