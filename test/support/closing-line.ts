import type { Reporter, TestModule } from "vitest/node";

/** Ends a run with one plain line, `N passed, N failed`, for those who read no colours; before it, how to fail again. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      if (module.errors().length > 0) count.failed += 1;
      for (const test of module.children.allTests()) count[test.result().state] += 1;
    }
    // After the default reporter's own summary, which tells of skipped ones and is written at the end as well.
    process.once("exit", () => {
      if (count.failed > 0) process.stdout.write(`Chance was as with SEED=${process.env.SEED}.\n`);
      process.stdout.write(`${count.passed} passed, ${count.failed} failed\n`);
    });
  }
}
