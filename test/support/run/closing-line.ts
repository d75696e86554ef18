import { appendFileSync } from "node:fs";
import type { Reporter, TestCase, TestModule } from "vitest/node";

/** Name of a test, as it is found in the source. */
const nameOf = (test: TestCase): string => `${test.module.relativeModuleId} > ${test.fullName}`;

/** First line of what a test failed with. */
const reasonOf = (test: TestCase): string =>
  (test.result().errors?.[0]?.message ?? "").split("\n", 1)[0]?.slice(0, 300) ?? "";

/**
 * Ends a run with one plain line, `N passed, N failed`, for readers without colours. Before it are the seed and the name of
 * each test that failed, and of each that passed only when it was tried again: the rest of the output may be long, or cut.
 * With COUNTS, all of it goes into that file: a script that makes several runs adds it up.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0, pending: 0 };
    const remarks: string[] = errors.map((error) => `failed: outside of tests: ${String(error)}`);
    for (const module of modules) {
      if (module.errors().length > 0) {
        count.failed += 1;
        remarks.push(`failed: ${module.relativeModuleId}: ${module.errors()[0]?.message}`);
      }
      for (const test of module.children.allTests()) {
        count[test.result().state] += 1;
        if (test.result().state === "failed")
          remarks.push(`failed: ${nameOf(test)}: ${reasonOf(test)}`);
        if (test.diagnostic()?.flaky) remarks.push(`passed when tried again: ${nameOf(test)}`);
      }
    }
    // The default reporter writes its own summary at the end as well, which tells of skipped tests.
    process.once("exit", () => {
      for (const remark of remarks) process.stdout.write(`${remark}\n`);
      if (count.failed > 0) process.stdout.write(`Chance was as with SEED=${process.env.SEED}.\n`);
      process.stdout.write(`${count.passed} passed, ${count.failed} failed\n`);
      const { COUNTS: file } = process.env;
      if (file !== undefined) appendFileSync(file, `${JSON.stringify({ ...count, remarks })}\n`);
    });
  }
}
