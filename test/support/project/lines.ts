/** Lines of curl, Python, R and TypeScript, as they are shown to users, run as users would. */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { pythonOf } from "../programs/python.js";
import { findR, R_ARGUMENTS } from "../programs/r.js";
import { freshFolder } from "../run/folders.js";

export type Language = "curl" | "Python" | "R" | "TypeScript";

const r = findR();

/** Those that can be run here: R may be missing outside CI. */
export const RUNNABLE: readonly Language[] = [
  "curl" as const,
  "Python" as const,
  ...(r === undefined ? [] : ["R" as const]),
  "TypeScript",
];

interface Running {
  /** What TOKEN in the environment is. */
  readonly token?: string;
  /** Where files are written; else a folder that is gone afterwards. */
  readonly folder?: string;
}

/**
 * Runs lines in a folder of their own; gives what they print.
 *
 * @throws what the program complains of, where it does not end well
 */
export async function runLines(
  language: Language,
  text: string,
  { token = "", folder }: Running = {},
): Promise<string> {
  const place = freshFolder();
  const script = join(place, language === "TypeScript" ? "script.mjs" : "script");
  await writeFile(script, text);
  const [program, ...words] = {
    curl: ["sh", script],
    Python: language === "Python" ? [pythonOf(), script] : [],
    R: [r?.path ?? "R", ...R_ARGUMENTS, "-f", script],
    TypeScript: [process.execPath, script],
  }[language] as [string, ...string[]];
  const env = { ...process.env, ...(language === "R" && r?.env), TOKEN: token };
  const options = { cwd: folder ?? place, env, maxBuffer: 64 << 20, timeout: 60_000 };
  return (await promisify(execFile)(program, words, options)).stdout;
}

/** Stands before the body in what the lines print with what is put around them. */
const MARK = "\u001f";

/** What makes the lines of a language, which show an answer as it suits them, print it as it came. */
const AROUND: Readonly<Record<Language, readonly [before: string, after: string]>> = {
  curl: [`printf '\\037'\n`, ""],
  Python: ["", `\nprint("\\x1f" + answer.content.decode(), end="")\n`],
  R: ["", `\ncat("\\u001f", resp_body_string(answer), sep = "")\n`],
  TypeScript: [
    `const send = fetch;
let told;
globalThis.fetch = async (...words) => {
  const answer = await send(...words);
  told = answer.clone();
  return answer;
};
`,
    `\nprocess.stdout.write("\\x1f" + (await told.text()));\n`,
  ],
};

/** The body of the answer that lines get. */
export async function bodyOfLines(
  language: Language,
  text: string,
  running: Running = {},
): Promise<string> {
  const [before, after] = AROUND[language];
  // A module's imports stand where they like.
  const printed = await runLines(language, before + text + after, running);
  return printed.slice(printed.lastIndexOf(MARK) + MARK.length);
}
