import { appendFileSync } from "node:fs";
import type { Reporter, TestCase, TestModule, TestSuite } from "vitest/node";

/** A test's title, with those of its groups, as `-t` compares it. */
function titleOf(test: TestCase): string {
  const titles = [test.name];
  for (let parent: TestSuite | TestModule = test.parent; parent.type === "suite"; ) {
    titles.unshift(parent.name);
    parent = parent.parent;
  }
  return titles.join(" ");
}

/** The command that runs one file, or one test of it. */
function commandOf({ relativeModuleId: file }: TestModule, title?: string): string {
  const script = /\.(slow|alone)\./.test(file) ? "npm run test:slow" : "npm test";
  if (title === undefined) return `${script} -- ${file}`;
  const pattern = title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return `${script} -- ${file} -t '${pattern.replaceAll("'", "'\\''")}'`;
}

/** First line of an error. */
const reasonOf = (errors: readonly { message: string }[] | undefined): string =>
  (errors?.[0]?.message ?? "").split("\n", 1)[0]?.slice(0, 300) ?? "";

/**
 * Ends a run with plain lines, as the rest of the output may be long, or cut: tests that passed only when they were tried again, then
 * those that failed, each with the command that runs it, the seed, and `N passed, N failed`. With COUNTS, all of it goes into that
 * file: a script that makes several runs adds it up.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0, pending: 0 };
    const again: string[] = [];
    const failed = errors.map((error) => `failed: outside of tests: ${String(error)}`);
    const seconds: Record<string, number> = {};
    for (const module of modules) {
      const { relativeModuleId: file } = module;
      seconds[file] = Math.round(module.diagnostic().duration / 1000);
      if (module.errors().length > 0) {
        count.failed += 1;
        failed.push(`failed: ${commandOf(module)}: ${reasonOf(module.errors())}`);
      }
      for (const test of module.children.allTests()) {
        count[test.result().state] += 1;
        const title = titleOf(test);
        if (test.result().state === "failed")
          failed.push(`failed: ${commandOf(module, title)}: ${reasonOf(test.result().errors)}`);
        if (test.diagnostic()?.flaky) {
          const reason = reasonOf(test.result().errors);
          again.push(`passed at the second try: ${file} ${title}${reason && `: ${reason}`}`);
        }
      }
    }
    // The default reporter writes its own summary at the end as well, which counts skipped tests.
    process.once("exit", () => {
      for (const line of [...again, ...failed]) process.stdout.write(`${line}\n`);
      if (count.failed > 0) process.stdout.write(`SEED=${process.env.SEED}\n`);
      process.stdout.write(`${count.passed} passed, ${count.failed} failed\n`);
      const { COUNTS: path } = process.env;
      if (path !== undefined)
        appendFileSync(path, `${JSON.stringify({ ...count, again, failures: failed, seconds })}\n`);
    });
  }
}
