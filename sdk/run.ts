/**
 * npm run sdk: generates, compiles and calls the client of every generator against the real service.
 *
 *     npm run sdk -- [NAME ...]
 *
 * If all of them pass, sdk/tried.json records it; `npm run test:slow` tries all of them as long as it does not.
 */
import { truthOf } from "./expectations.js";
import { GENERATORS, type Generator } from "./generators.js";
import { startSampleService } from "./service.js";
import { ensureTools, missingCommands } from "./tools.js";
import { call, prepare } from "./trial.js";
import { digestOfInputs, recordTried } from "./tried.js";

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

interface Outcome {
  readonly name: string;
  readonly language: string;
  readonly seconds: number;
  /** Problems, one line each. */
  readonly faults: readonly string[];
}

function chosen(names: readonly string[]): readonly Generator[] {
  const unknown = names.filter((name) => GENERATORS.every((generator) => generator.name !== name));
  if (unknown.length > 0) {
    say(
      `There is no ${unknown.join(", ")}; there are ${GENERATORS.map(({ name }) => name).join(", ")}.`,
    );
    process.exit(2);
  }
  return names.length === 0 ? GENERATORS : GENERATORS.filter(({ name }) => names.includes(name));
}

async function attempt(generator: Generator, trial: () => Promise<string[]>): Promise<Outcome> {
  const { name, language, tools } = generator;
  const begin = performance.now();
  const ended = (faults: readonly string[]): Outcome => {
    const seconds = (performance.now() - begin) / 1000;
    say(`${faults.length === 0 ? "passed" : "FAILED"} ${name} (${seconds.toFixed(0)} s)`);
    for (const fault of faults) say(`    ${fault.replaceAll("\n", "\n    ")}`);
    return { name, language, seconds, faults };
  };
  const missing = missingCommands(tools);
  if (missing.length > 0) return ended([`this machine has no ${missing.join(", ")}`]);
  try {
    await ensureTools(tools, say);
    return ended(await trial());
  } catch (error) {
    return ended([error instanceof Error ? error.message : String(error)]);
  }
}

const generators = chosen(process.argv.slice(2));
say("Starting the service");
const inputs = await digestOfInputs();
const service = await startSampleService();
const outcomes: Outcome[] = [];
try {
  const truth = await truthOf(service, service.email);
  for (const generator of generators) {
    const outcome = await attempt(generator, async () => {
      await prepare(generator, service.address);
      return call(generator, service, truth);
    });
    outcomes.push(outcome);
  }
} finally {
  await service.stop();
}
say("\n| generator | language | seconds | |\n|---|---|---|---|");
for (const { name, language, seconds, faults } of outcomes) {
  const [first = "passed"] = faults;
  say(`| ${name} | ${language} | ${seconds.toFixed(0)} | ${first.split("\n")[0]} |`);
}
const failed = outcomes.filter(({ faults }) => faults.length > 0).length;
process.exitCode = failed > 0 ? 1 : 0;
if (failed === 0 && outcomes.length === GENERATORS.length) await recordTried(inputs);
say(`\n${outcomes.length - failed} passed, ${failed} failed`);
