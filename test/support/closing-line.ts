import { appendFileSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";

/**
 * Ends a run with one plain line, `N passed, N failed`, for readers without colours. A run that fails tells its seed before
 * it. With COUNTS, the numbers go into that file: a script that makes several runs adds them up.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      if (module.errors().length > 0) count.failed += 1;
      for (const test of module.children.allTests()) count[test.result().state] += 1;
    }
    // The default reporter writes its own summary at the end as well, which tells of skipped tests.
    process.once("exit", () => {
      if (count.failed > 0) process.stdout.write(`Chance was as with SEED=${process.env.SEED}.\n`);
      process.stdout.write(`${count.passed} passed, ${count.failed} failed\n`);
      const { COUNTS: file } = process.env;
      if (file !== undefined) appendFileSync(file, `${JSON.stringify(count)}\n`);
    });
  }
}
