/** The titles of tests can be read alone, in a report. */
import { readdirSync, readFileSync } from "node:fs";
import {
  createSourceFile,
  forEachChild,
  isCallExpression,
  isIdentifier,
  isStringLiteralLike,
  isTemplateExpression,
  type Node,
  ScriptTarget,
} from "typescript";
import { expect, it } from "vitest";
import { packagePath } from "../src/platform/package-root.js";

/** Words that make the rest of a sentence: its beginning is somewhere else. */
const BEGINS_IN_THE_MIDDLE =
  /^(?:that|of|by|with|without|to|for|from|in|into|on|at|as|than|like|per|via|and|or|but|nor|so|if|when|while|where|after|before|until|unless|because|since|though|although|whether|within|between|through|during|against|over|under|beside|behind|among|across|above|below|along|around|despite|except|whose|which|who|whom|whoever|whatever|what|even|also)\b/;

/** Words that the vocabulary of the project does without. */
const NOT_USED =
  /\b(?:told|asked|asker|whoever|somebody|anybody else|house|room|door|toll|lifting|take-over|sightings|offenders?|pieces?|stretches|tally|hurry|spoilt?|let go)\b/;

/** The titles of the tests and groups of a file, as they stand in the source. */
function titlesIn(path: string): string[] {
  const titles: string[] = [];
  const text = readFileSync(packagePath("test", path), "utf8");
  const source = createSourceFile(path, text, ScriptTarget.Latest);
  const visit = (node: Node): void => {
    if (isCallExpression(node) && node.arguments.length > 1) {
      const [title] = node.arguments;
      let called: Node = node.expression;
      while (!isIdentifier(called) && "expression" in called) called = called.expression as Node;
      const isTest = isIdentifier(called) && /^(?:it|test|describe)$/.test(called.text);
      if (isTest && title && (isStringLiteralLike(title) || isTemplateExpression(title)))
        titles.push(title.getText(source).slice(1, -1));
    }
    forEachChild(node, visit);
  };
  visit(source);
  return titles;
}

it("titles of tests are sentences from their beginning, in the words of the project", () => {
  const all = readdirSync(packagePath("test"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .flatMap((path) => titlesIn(path).map((title) => `${path}: ${title}`));
  expect(all.length).toBeGreaterThan(2000);
  const wrong = all.filter((line) => {
    const title = line.slice(line.indexOf(": ") + 2);
    return BEGINS_IN_THE_MIDDLE.test(title) || NOT_USED.test(title);
  });
  expect(wrong).toEqual([]);
});
