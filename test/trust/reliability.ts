/** docs/reliability.md, made of the table of checks and of what was measured. */
import { packagePath } from "../../src/platform/package-root.js";
import { CHECKS, type Check, SUBJECTS } from "./checks.js";

/** A run of a check's tests. */
export interface Measured {
  readonly tried: number;
  readonly held: number;
  readonly seconds: number;
  /** The day, UTC. */
  readonly date: string;
}

/** By the number of the check: its last run in each form. */
export type AllMeasured = Readonly<
  Record<string, { readonly short?: Measured; readonly long?: Measured }>
>;

export const MEASURED = packagePath("test", "trust", "measured.json");
export const RELIABILITY = packagePath("docs", "reliability.md");

const figure = (value: number): string => value.toLocaleString("en");

const told = (measured: Measured | undefined): string => {
  if (measured === undefined) return "not run on this release";
  const { tried, held, seconds, date } = measured;
  return `${figure(held)} of ${figure(tried)}, ${figure(seconds)} s, ${date}`;
};

const briefly = (measured: Measured | undefined): string =>
  measured === undefined ? "-" : `${figure(measured.held)} of ${figure(measured.tried)}`;

const nameOf = (path: string): string => path.slice(5).replace(/(?:\.[a-z]+)?\.test\.ts$/, "");

function row({ number, holds, goal, tests, remark }: Check, measured: AllMeasured): string {
  const { short, long } = measured[number] ?? {};
  const files = Object.keys(tests).map((path) => `[${nameOf(path)}](../${path})`);
  const text = remark === undefined ? holds : `${holds} ${remark}`;
  return `| ${number} | ${text} | ${goal} | ${briefly(short)} | ${told(long)} | ${files.join(", ")} |`;
}

/** The page. */
export function reliability(measured: AllMeasured): string {
  const tables = SUBJECTS.map((subject) => {
    const rows = CHECKS.filter((check) => check.subject === subject);
    return [
      `## ${subject}`,
      "",
      "| | what must hold | goal | short | `npm run trust` | tests |",
      "|---|---|---|---|---|---|",
      ...rows.map((check) => row(check, measured)),
      "",
    ].join("\n");
  });
  return `${HEAD}\n${tables.join("\n")}`;
}

const HEAD = `# Reliability: what is tested, how often, and with what result

For security officers, and for programmers before a release. [security.md](security.md) has the rules behind these checks.

\`npm run trust\` starts the real service and a real Solr and runs these checks at full length. \`npm test\` and
\`npm run test:slow\` run all of them in a short form. \`npm run trust -- 27\` and \`npm run trust -- tokens\` run some of them.
\`--short\` runs them as often as those two do. \`--write\` stores the results in this page, which is generated from test/trust/checks.ts and test/trust/measured.json.

An attempt is one token, request, value, file or kill, as the sentence says; if a test does not count attempts, the test is one.
The goal is what the long form aims at. "Not run on this release" in the long form means that only the short form was run. The
machine has two processors, with Node 20 and Solr 9.10, unless a check says otherwise.

Random tests have a seed, which a failing run prints. \`SEED=... npm run trust -- 21\` repeats that run.
`;
