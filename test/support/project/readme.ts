/** The code blocks of README.md and docs/, and a folder in which a test runs them as a reader does. */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify, stripVTControlCharacters } from "node:util";
import { expect } from "vitest";
import { packagePath } from "../../../src/platform/package-root.js";
import {
  folderOf,
  madeFolder,
  makeFolder,
  movePrograms,
  type Recipe,
} from "../programs/made-folder.js";

export interface CodeBlock {
  /** Path of the document below the package. */
  readonly path: string;
  /** Line of the document on which the block's text begins. */
  readonly line: number;
  /** First word of the info string: sh, python, ts, json and others; empty for output and drawings. */
  readonly language: string;
  /** Rest of the info string: `no-test=<reason>`, or the file that a json block is written to. */
  readonly mark: string;
  readonly text: string;
  /** What it prints, from a block of the language `output` below it; `...` stands for any text. */
  readonly output?: string;
}

/** @param path path of the document below the package */
export function codeBlocks(path = "README.md"): CodeBlock[] {
  const text = readFileSync(packagePath(path), "utf8");
  const all = [...text.matchAll(/^```(\w*)(?: ([^\n]*))?\n(.*?)^```$/gms)].map(
    ({ index, 1: language = "", 2: mark = "", 3: block = "" }) => ({
      path,
      line: text.slice(0, index).split("\n").length + 1,
      language,
      mark,
      text: block,
    }),
  );
  return all.flatMap((block, index) => {
    if (block.language === OUTPUT) return [];
    const next = all[index + 1];
    return next?.language === OUTPUT ? { ...block, output: next.text } : block;
  });
}

const OUTPUT = "output";

/** Compares what a block has printed with the output that the document shows below it, if there is one. */
export function expectOutput({ output }: CodeBlock, printed: string): void {
  if (output === undefined) return;
  const pattern = output
    .trim()
    .split("...")
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("[^]*");
  // A terminal has carriage returns, colours, and the signs with which npx shows that it works.
  const text = stripVTControlCharacters(printed).replaceAll(/[\r\u2800-\u28ff]/g, "");
  expect(text.trim()).toMatch(new RegExp(`^${pattern}$`));
}

/** The README, and all pages of docs/ in the alphabet's order. */
export function documents(): string[] {
  const pages = readdirSync(packagePath("docs")).filter((name) => name.endsWith(".md"));
  return ["README.md", ...pages.sort().map((name) => `docs/${name}`)];
}

/** A folder like a fresh clone after `npm start`, with an environment of an earlier run; git ignores it. */
const CLONE = packagePath(".readme");
/** Of a real one, in which other things have run. */
const NOT_LINKED = new Set([".git", ".readme", "var", "venv"]);

/** The README's virtual environment, which its own lines make. */
const environment = (): Recipe => ({
  what: "the README's Python",
  text: codeBlocks().find(({ text }) => text.includes("pip install"))?.text ?? "",
  proof: join("venv", "bin", "python"),
});

/** Makes the virtual environment of the README if it is missing. */
export async function makeReadmeEnvironment(): Promise<void> {
  const recipe = environment();
  await makeFolder(recipe, async (draft) => {
    await promisify(execFile)("bash", ["-ec", recipe.text], { cwd: draft });
    await movePrograms(join(draft, "venv", "bin"), draft, folderOf(recipe));
  });
}

/** @returns a folder with all of this clone and a copy of the environment, without the rest of an earlier run */
export async function freshClone(): Promise<string> {
  rmSync(CLONE, { recursive: true, force: true, maxRetries: 5 });
  mkdirSync(CLONE);
  for (const name of readdirSync(packagePath())) {
    if (!NOT_LINKED.has(name)) symlinkSync(packagePath(name), join(CLONE, name));
  }
  const made = madeFolder(environment());
  // The README's lines make it again, over what is there.
  cpSync(join(made, "venv"), join(CLONE, "venv"), { recursive: true, verbatimSymlinks: true });
  await movePrograms(join(CLONE, "venv", "bin"), made, CLONE);
  return CLONE;
}
