/** The code blocks of README.md and docs/, and a folder in which a test runs them as a reader does. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { packagePath } from "../../../src/platform/package-root.js";

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
}

/** @param path path of the document below the package */
export function codeBlocks(path = "README.md"): CodeBlock[] {
  const text = readFileSync(packagePath(path), "utf8");
  return [...text.matchAll(/^```(\w*)(?: ([^\n]*))?\n(.*?)^```$/gms)].map(
    ({ index, 1: language = "", 2: mark = "", 3: block = "" }) => ({
      path,
      line: text.slice(0, index).split("\n").length + 1,
      language,
      mark,
      text: block,
    }),
  );
}

/** The README, and all pages of docs/ in the alphabet's order. */
export function documents(): string[] {
  const pages = readdirSync(packagePath("docs")).filter((name) => name.endsWith(".md"));
  return ["README.md", ...pages.sort().map((name) => `docs/${name}`)];
}

/** A folder like a fresh clone after `npm start`, but with the environment of an earlier run; git ignores it. */
const CLONE = packagePath(".readme");
/** Of a real one, in which other things have run; and the environment that is made here. */
const NOT_LINKED = new Set([".git", ".readme", "var", "venv"]);

/** Makes the virtual environment by the README's own lines, where it is missing or they have changed. */
export function makeReadmeEnvironment(): void {
  const lines = codeBlocks().find(({ text }) => text.includes("pip install"))?.text ?? "";
  const stamp = join(CLONE, "venv", "made-by.sha256");
  const wanted = createHash("sha256").update(lines).digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  rmSync(CLONE, { recursive: true, force: true, maxRetries: 5 });
  mkdirSync(CLONE);
  const options = { cwd: CLONE, encoding: "utf8" } as const;
  const { status, stderr } = spawnSync("bash", ["-ec", lines], options);
  if (status !== 0) throw new Error(`the README's environment cannot be made: ${stderr}`);
  writeFileSync(stamp, wanted);
}

/** @returns the folder, without what an earlier run has left in it */
export function freshClone(): string {
  for (const name of readdirSync(CLONE)) {
    if (name !== "venv") rmSync(join(CLONE, name), { recursive: true });
  }
  for (const name of readdirSync(packagePath())) {
    if (!NOT_LINKED.has(name)) symlinkSync(packagePath(name), join(CLONE, name));
  }
  return CLONE;
}
