/** The contract, put to the test by who knows nothing else: requests made of openapi.yaml, right and wrong ones. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pythonOf } from "../../support/programs/python.js";
import { attempts, patience } from "../../support/run/attempts.js";
import { tried } from "../../support/run/tried.js";
import { emptyIndex, load, startService, type TestService } from "../../support/service/service.js";

let service: TestService;
let folder: string;
let token: string;

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

import { person } from "../../support/service/user-data.js";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "climate-schemathesis-"));
  // What breaks a schema may also be too large.
  const refusals = '[400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 428, 429, 431, "5xx"]';
  const config = `[checks.negative_data_rejection]\nexpected-statuses = ${refusals}\n`;
  await writeFile(join(folder, "schemathesis.toml"), `hooks = "hooks.py"\n${config}`);
  await writeFile(join(folder, "hooks.py"), HOOKS);
  // Thousands of logins that fail come from one address.
  const limits = { perUser: 1_000_000, perAddress: 1_000_000, window: 1 };
  service = await startService({ auth: { limits } });
  await emptyIndex(service.solr);
  await load(service.solr, [
    { file: "/a.nc", project: ["CMIP6"], variable: ["tas"], time: "[2000 TO 2001]" },
    { file: "/b.nc", project: ["CMIP5"], variable: ["pr"], bbox: "ENVELOPE(0,10,10,0)" },
  ]);
  token = (await person(service)).token;
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
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
    `Authorization: Bearer ${token}`,
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
