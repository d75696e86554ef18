/** Who imports whom, as the compiler reads it: static and dynamic imports, re-exports, and imports of types only. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  createSourceFile,
  forEachChild,
  isCallExpression,
  isExportDeclaration,
  isImportDeclaration,
  isImportTypeNode,
  isLiteralTypeNode,
  isNamedImports,
  isStringLiteral,
  type Node,
  ScriptTarget,
  SyntaxKind,
} from "typescript";
import { packagePath } from "../../../src/platform/package-root.js";

export interface Import {
  /** Paths from the repository's root, such as `src/files/cf/arc.ts`. */
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

/** The name that an import goes by, and whether it is gone once compiled; undefined for what is none. */
function specifierOf(node: Node): { target: Node | undefined; typeOnly: boolean } | undefined {
  if (isImportDeclaration(node)) {
    const { importClause: clause, moduleSpecifier: target } = node;
    const named = clause?.namedBindings;
    const everyType =
      clause?.name === undefined &&
      named !== undefined &&
      isNamedImports(named) &&
      named.elements.length > 0 &&
      named.elements.every(({ isTypeOnly }) => isTypeOnly);
    return { target, typeOnly: clause?.isTypeOnly === true || everyType };
  }
  if (isExportDeclaration(node)) return { target: node.moduleSpecifier, typeOnly: node.isTypeOnly };
  if (isCallExpression(node) && node.expression.kind === SyntaxKind.ImportKeyword) {
    return { target: node.arguments[0], typeOnly: false };
  }
  if (isImportTypeNode(node) && isLiteralTypeNode(node.argument)) {
    return { target: node.argument.literal, typeOnly: true };
  }
  return undefined;
}

/** The source of a file that is imported by the name that it has once compiled. */
function written(path: string): string {
  const source = path.replace(/\.js$/, ".ts");
  return source.startsWith("web/") && existsSync(packagePath(`${source}x`)) ? `${source}x` : source;
}

/** The imports between files of one text. @param path of the file, which need not be there */
export function importsIn(path: string, text: string): Import[] {
  const found: Import[] = [];
  const visit = (node: Node): void => {
    const specifier = specifierOf(node);
    if (specifier?.target !== undefined && isStringLiteral(specifier.target)) {
      const { text: name } = specifier.target;
      if (name.startsWith(".")) {
        const to = written(join(dirname(path), name));
        found.push({ from: path, to, typeOnly: specifier.typeOnly });
      }
    }
    forEachChild(node, visit);
  };
  visit(createSourceFile(path, text, ScriptTarget.Latest));
  return found;
}

/** All imports between files in folders of the repository. */
export function importsBelow(...folders: readonly string[]): Import[] {
  return folders.flatMap((folder) =>
    readdirSync(packagePath(folder), { recursive: true, encoding: "utf8" })
      .filter((path) => /\.tsx?$/.test(path))
      .flatMap((path) => {
        const file = join(folder, path);
        return importsIn(file, readFileSync(packagePath(file), "utf8"));
      }),
  );
}

/** The circles among places that import each other, each as one way round. */
export function circles(edges: Iterable<readonly [from: string, to: string]>): string[][] {
  const next = new Map<string, Set<string>>();
  for (const [from, to] of edges) {
    if (from === to) continue;
    next.set(from, (next.get(from) ?? new Set()).add(to));
  }
  const found: string[][] = [];
  const done = new Set<string>();
  const walk = (at: string, way: readonly string[]): void => {
    const before = way.indexOf(at);
    if (before >= 0) found.push([...way.slice(before), at]);
    if (before >= 0 || done.has(at)) return;
    for (const to of next.get(at) ?? []) walk(to, [...way, at]);
    done.add(at);
  };
  for (const place of next.keys()) walk(place, []);
  return found;
}
