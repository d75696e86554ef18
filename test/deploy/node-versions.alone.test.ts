/** The tests on newer versions of Node: all of `npm test` in the long form, else those of what is inside of Node itself. */
import { spawn } from "node:child_process";
import { delimiter } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { packagePath } from "../../src/platform/package-root.js";
import { NODES, nodeBin } from "../support/programs/node-versions.js";
import { attempts, patience } from "../support/run/trials.js";

/** Connections, streams, workers, processes and files. */
const OF_NODE = [
  "test/attack/connections",
  "test/platform",
  "test/server/limits",
  "test/server/lists",
  "test/server/downloads",
  "test/files/rights",
  "test/cli/start",
];

/** Variables that vitest and test:slow set for their own processes. */
const OF_THIS_RUN = /^(BOUNDS|COUNTS|LONG|NODE_|VITEST|TEST$|DEV$|PROD$|MODE$)/;

describe.runIf(process.platform === "linux" && process.arch === "x64")("npm test", () => {
  it.each(Object.keys(NODES).map(Number))(
    "passes on Node %i",
    async (version) => {
      const kept = Object.entries(process.env).filter(([name]) => !OF_THIS_RUN.test(name));
      const env: NodeJS.ProcessEnv = {
        ...Object.fromEntries(kept),
        SUITE: "quick",
        SEED: "1",
        CI: "true",
        PATH: `${nodeBin(version)}${delimiter}${process.env.PATH}`,
      };
      const files = attempts<readonly string[]>(OF_NODE, []);
      const tests = spawn("node", ["node_modules/vitest/vitest.mjs", "run", ...files], {
        cwd: packagePath(),
        env,
        stdio: ["ignore", "pipe", "pipe"],
      });
      const ended = new Promise((resolve) => tests.once("close", resolve));
      const [said, complained] = await Promise.all([text(tests.stdout), text(tests.stderr)]);
      expect(await ended, `${said.slice(-5000)}${complained.slice(-2000)}`).toBe(0);
    },
    patience(1_200_000, 3_600_000),
  );
});
