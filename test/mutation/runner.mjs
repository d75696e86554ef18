/**
 * Stryker's runner for vitest, which takes a test file that cannot even be loaded for one that has no tests, and so
 * lets every mutant survive that breaks a module as it is loaded. Here such a file has failed.
 */
import { strykerPlugins as plugins } from "@stryker-mutator/vitest-runner";

const [vitest] = plugins;
/** TestStatus.Failed of Stryker. */
const FAILED = 1;

function factory(injector) {
  const runner = vitest.factory(injector);
  const run = runner.run.bind(runner);
  runner.run = async (options) => {
    const result = await run(options);
    if (result.status !== "complete" || result.tests.some(({ status }) => status === FAILED)) {
      return result;
    }
    const broken = runner.ctx.state.getFiles().filter((file) => file.result?.state === "fail");
    const tests = broken.map(({ name, result: { errors = [] } }) => ({
      ...{ id: name, name, fileName: name, timeSpentMs: 0, status: FAILED },
      failureMessage: errors[0]?.message ?? "cannot be loaded",
    }));
    return { ...result, tests: [...result.tests, ...tests] };
  };
  return runner;
}
factory.inject = vitest.factory.inject;

export const strykerPlugins = [{ ...vitest, name: "rooms", factory }];
