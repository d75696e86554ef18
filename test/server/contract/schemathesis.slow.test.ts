/** The contract, put to the test by who knows nothing else: requests made of openapi.yaml, right and wrong ones. */

import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { pythonOf } from "../../support/programs/python.js";
import { freshFolder } from "../../support/run/folders.js";
import { attempts, patience, tried } from "../../support/run/trials.js";
import { usePerson, useService } from "../../support/service/use-service.js";

// Thousands of logins that fail come from one address.
const limits = { perUser: 1_000_000, perAddress: 1_000_000, window: 1 };
const service = useService({
  auth: { limits },
  documents: [
    { file: "/a.nc", project: ["CMIP6"], variable: ["tas"], time: "[2000 TO 2001]" },
    { file: "/b.nc", project: ["CMIP5"], variable: ["pr"], bbox: "ENVELOPE(0,10,10,0)" },
  ],
});
const user = usePerson(service);
const folder = freshFolder();

/** It knows only `content`; see scripts/contract/other-content.ts. */
const HOOKS = `
import schemathesis

@schemathesis.hook
def before_load_schema(context, raw_schema):
    for item in raw_schema["paths"].values():
        for operation in item.values():
            for response in operation["responses"].values() if "responses" in operation else []:
                response.get("content", {}).update(response.pop("x-other-content", {}))
`;

beforeAll(async () => {
  // What breaks a schema may also be too large.
  const refusals = '[400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 428, 429, 431, "5xx"]';
  const config = `[checks.negative_data_rejection]\nexpected-statuses = ${refusals}\n`;
  await writeFile(join(folder, "schemathesis.toml"), `hooks = "hooks.py"\n${config}`);
  await writeFile(join(folder, "hooks.py"), HOOKS);
});

/** Runs schemathesis; gives its report where it finds something, "" otherwise, and how many requests it made. */
async function schemathesis(
  seed: number,
  ...options: readonly string[]
): Promise<{ found: string; cases: number }> {
  const command = join(dirname(pythonOf()), "schemathesis");
  const parameters = [
    "run",
    `${service.address}/openapi.json`,
    "--no-color",
    "--continue-on-failure",
    "--header",
    `Authorization: Bearer ${user.token}`,
    "--seed",
    `${seed}`,
    ...options,
  ];
  const run = promisify(execFile)(command, parameters, { cwd: folder, maxBuffer: 64 << 20 });
  return run.then(
    ({ stdout }) => {
      const [, cases] = /\b(\d{3,}) generated, \1 passed/.exec(stdout) ?? [];
      return { found: cases === undefined ? stdout : "", cases: Number(cases) };
    },
    ({ stdout, stderr }) => ({ found: `${stdout}${stderr}`, cases: 1 }),
  );
}

describe("schemathesis", () => {
  it(
    "finds no answer outside the contract, for valid and invalid requests of all operations",
    async () => {
      for (const seed of attempts([1], [1, 2, 3])) {
        const { found, cases } = await schemathesis(
          seed,
          "--phases",
          attempts("examples,fuzzing", "examples,coverage,fuzzing"),
          "--max-examples",
          attempts("15", "300"),
          "--checks",
          "all",
          // A query that fits its schema may name a facet that does not exist, an id that nothing has.
          "--exclude-checks",
          "positive_data_acceptance",
        );
        tried(cases, found === "" ? cases : 0);
        expect(found, `seed ${seed}`).toBe("");
      }
    },
    patience(600_000, 7_200_000),
  );
});
