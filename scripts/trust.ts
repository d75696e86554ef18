/**
 * npm run trust: tries the checks of test/trust/checks.ts at full length against the real service and Solr, and prints how
 * often each was tried and held.
 *
 *     npm run trust                 all, an hour or more, with what else is in test/attack
 *     npm run trust -- 27 tokens    some, by number or subject
 *     npm run trust -- --short      as often as `npm test` does
 *     npm run trust -- 27 --write   and keeps what was measured, in docs/reliability.md
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { CHECKS, type Check, SUBJECTS } from "../test/trust/checks.js";
import { MEASURED, type Measured, RELIABILITY, reliability } from "../test/trust/reliability.js";
import { isOf, type Outcome, titlePattern } from "../test/trust/titles.js";

const words = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const isShort = process.argv.includes("--short");
const chosen = CHECKS.filter(
  ({ number, subject }) =>
    words.length === 0 || words.includes(String(number)) || words.includes(subject),
);
const known = [...CHECKS.map(({ number }) => String(number)), ...SUBJECTS];
const unknown = words.filter((word) => !known.includes(word));
if (unknown.length > 0) {
  console.error(
    `There is no check ${unknown.join(", ")}; there are 1 to ${CHECKS.length}, ${SUBJECTS.join(", ")}.`,
  );
  process.exit(1);
}

/** Files whose tests go on where the one before ended: they are run whole. */
const IN_ORDER = ["test/cli/start/serve.slow.test.ts", "test/cli/start/workers.slow.test.ts"];

/** Runs the tests of the checks; what came of each test of their files. */
function run(): Outcome[] {
  const files = [...new Set(chosen.flatMap(({ tests }) => Object.keys(tests)))];
  // All of them: then every attack is tried, whatever check it belongs to.
  if (words.length === 0) return vitest([...files, "test/attack"]);
  const whole = files.filter((file) => IN_ORDER.includes(file));
  const picked = files.filter((file) => !IN_ORDER.includes(file));
  const titles = chosen.flatMap(({ tests }) => Object.values(tests).flat());
  const pattern = titles.map((title) => titlePattern(title)).join("|");
  return [
    ...(picked.length > 0 ? vitest([...picked, "-t", pattern]) : []),
    ...(whole.length > 0 ? vitest(whole) : []),
  ];
}

function vitest(selection: readonly string[]): Outcome[] {
  const folder = mkdtempSync(join(tmpdir(), "climate-trust-"));
  const report = join(folder, "report.json");
  const { status } = spawnSync(
    process.execPath,
    [
      ...[join("node_modules", "vitest", "vitest.mjs"), "run", ...selection],
      ...["--reporter=default", "--reporter=./test/support/run/closing-line.ts"],
      ...["--reporter=json", `--outputFile.json=${report}`],
    ],
    { stdio: "inherit", env: { ...process.env, SUITE: "all", ...(!isShort && { LONG: "1" }) } },
  );
  if (status !== 0) process.exitCode = status ?? 1;
  try {
    const { testResults } = JSON.parse(readFileSync(report, "utf8")) as {
      testResults: { name: string; assertionResults: Omit<Outcome, "file">[] }[];
    };
    return testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.map((one) => ({ ...one, file: relative(process.cwd(), name) })),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a check's tests say together; undefined where none of them ran. */
function measure(check: Check, outcomes: readonly Outcome[]): Measured | undefined {
  const own = outcomes.filter(
    (one) => isOf(check, one) && ["passed", "failed"].includes(one.status),
  );
  if (own.length === 0) return undefined;
  let [tried, held, milliseconds] = [0, 0, 0];
  for (const { status, meta, duration = 0 } of own) {
    const times = Math.max(1, meta.tried ?? 1);
    tried += times;
    held += status === "passed" ? (meta.held ?? times) : Math.min(meta.held ?? 0, times - 1);
    milliseconds += duration;
  }
  const date = new Date().toISOString().slice(0, 10);
  return { tried, held, seconds: Math.round(milliseconds / 1000), date };
}

const outcomes = run();
const form = isShort ? "short" : "long";
const measured = JSON.parse(readFileSync(MEASURED, "utf8")) as ReturnType<typeof JSON.parse>;
const width = Math.max(...chosen.map(({ holds }) => Math.min(holds.length, 90)));
const row = (...[number, holds, tried, held, time]: string[]): void =>
  console.log(
    `${number?.padStart(3)}  ${holds?.slice(0, width).padEnd(width)} ${tried?.padStart(9)} ${held?.padStart(9)} ${time?.padStart(7)}`,
  );
console.log();
row("", "check", "tried", "held", "time");
for (const check of chosen) {
  const result = measure(check, outcomes);
  if (result === undefined) row(String(check.number), check.holds, "-", "-", "-");
  else {
    const { tried, held, seconds } = result;
    row(String(check.number), check.holds, String(tried), String(held), `${seconds} s`);
    measured[check.number] = { ...measured[check.number], [form]: result };
    if (held < tried) process.exitCode = 1;
  }
}
if (process.argv.includes("--write")) {
  const results = JSON.stringify(measured, null, 2);
  // One line a run.
  const lines = results.replace(
    /\{\n\s+("tried"[^}]+?)\s+\}/g,
    (_, run) => `{ ${run.replace(/\n\s+/g, " ")} }`,
  );
  writeFileSync(MEASURED, `${lines}\n`);
  writeFileSync(RELIABILITY, reliability(measured));
}
