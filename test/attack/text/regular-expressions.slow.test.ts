/**
 * Every regular expression takes a time in proportion to what it reads, as recheck finds by analysis and by trial.
 *
 * All of them, since nobody sees from afar which text comes from a caller or a file.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { check } from "recheck";
import {
  createSourceFile,
  forEachChild,
  type Identifier,
  isBinaryExpression,
  isIdentifier,
  isNewExpression,
  isNoSubstitutionTemplateLiteral,
  isRegularExpressionLiteral,
  isStringLiteral,
  isTaggedTemplateExpression,
  isTemplateExpression,
  isVariableStatement,
  type Node,
  ScriptTarget,
  SyntaxKind,
  type TemplateLiteralLikeNode,
} from "typescript";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { packagePath } from "../../../src/platform/package-root.js";
import { patience, tried } from "../../support/run/trials.js";

interface Found {
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

/** A text that is written in the source, in one piece or in several, of which some may be constants of the file. */
function textOf(node: Node): string | undefined {
  if (isStringLiteral(node)) return node.text;
  const isRaw = isTaggedTemplateExpression(node) && node.tag.getText() === "String.raw";
  const template = isRaw ? node.template : node;
  const written = (part: TemplateLiteralLikeNode) => (isRaw ? part.rawText : part.text);
  if (isNoSubstitutionTemplateLiteral(template)) return written(template);
  if (isTemplateExpression(template)) {
    const pieces = template.templateSpans.map(({ expression, literal }) => {
      const text = isIdentifier(expression) ? textOf(constant(expression)) : undefined;
      return text === undefined ? undefined : text + written(literal);
    });
    return pieces.includes(undefined) ? undefined : [written(template.head), ...pieces].join("");
  }
  if (!isBinaryExpression(node) || node.operatorToken.kind !== SyntaxKind.PlusToken) {
    return undefined;
  }
  const [left, right] = [textOf(node.left), textOf(node.right)];
  return left === undefined || right === undefined ? undefined : left + right;
}

/** The value of a constant of the same file; the name itself if there is no such constant. */
function constant(name: Identifier): Node {
  const declared = name
    .getSourceFile()
    .statements.filter(isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations)
    .find((one) => one.name.getText() === name.text);
  return declared?.initializer ?? name;
}

function inSource(path: string): Found[] {
  const text = readFileSync(packagePath(path), "utf8");
  const file = createSourceFile(path, text, ScriptTarget.Latest, true);
  const found: Found[] = [];
  const visit = (node: Node): void => {
    const place = `${path}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
    if (isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf("/");
      found.push({ place, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    }
    if (
      isNewExpression(node) &&
      isIdentifier(node.expression) &&
      node.expression.text === "RegExp"
    ) {
      const [source, flags] = (node.arguments ?? []).map(textOf);
      if (source !== undefined) found.push({ place, source, flags: flags ?? "" });
      else throw new Error(`${place} is not known before it runs`);
    }
    forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** The `pattern` of each schema, at any depth. */
function inContract(value: unknown, place = "openapi.yaml"): Found[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    if (key === "pattern" && typeof member === "string") {
      return [{ place, source: member, flags: "u" }];
    }
    return inContract(member, `${place}/${key}`);
  });
}

const files = readdirSync(packagePath("src"), { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts"))
  .map((path) => join("src", path));
const all = [
  ...files.flatMap(inSource),
  ...inContract(parse(readFileSync(packagePath("openapi.yaml"), "utf8"))),
];

describe("a regular expression", () => {
  it("is found wherever it is written", () => {
    expect(all.length).toBeGreaterThan(100);
    const patterns = { a: { pattern: "a+" }, b: [{ items: { pattern: "b" } }] };
    expect(inContract(patterns).map(({ source }) => source)).toEqual(["a+", "b"]);
  });

  it("is classified as dangerous or not", async () => {
    const status = async (source: string) => (await check(source, "i")).status;
    expect(await status("^[+-]?(\\d+\\.?\\d*|\\.\\d+)(e[+-]?\\d{1,2})?$")).toBe("vulnerable");
    expect(await status("^(a|a)*$")).toBe("vulnerable");
    expect(await status("^a*$")).toBe("safe");
  });

  it(
    "takes time in proportion to its input",
    async () => {
      const dangerous: string[] = [];
      const unique = new Map(all.map((found) => [`/${found.source}/${found.flags}`, found]));
      for (const [text, { place, source, flags }] of unique) {
        const { status } = await check(source, flags, { timeout: 120_000 });
        if (status !== "safe") dangerous.push(`${place} ${text} is ${status}`);
      }
      tried(unique.size, unique.size - dangerous.length);
      expect(dangerous).toEqual([]);
    },
    patience(600_000),
  );
});
