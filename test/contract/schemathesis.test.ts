/** The contract, put to the test by who knows nothing else: requests made of openapi.yaml, right and wrong ones. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attempts } from "../support/attempts.js";
import { ensurePython } from "../support/python.js";
import { emptyIndex, load, startService, type TestService } from "../support/service.js";
import { addUser, signIn } from "../support/sign-in.js";

let service: TestService;
let folder: string;
let token: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "climate-schemathesis-"));
  // What breaks a schema may also be too large.
  const refusals = '[400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 428, 429, "5xx"]';
  const config = `[checks.negative_data_rejection]\nexpected-statuses = ${refusals}\n`;
  await writeFile(join(folder, "schemathesis.toml"), config);
  // Thousands of logins that fail come from one address.
  const limits = { perUser: 1_000_000, perAddress: 1_000_000, window: 1 };
  service = await startService({ auth: { limits } });
  await emptyIndex(service.solr);
  await load(service.solr, [
    { file: "/a.nc", project: ["CMIP6"], variable: ["tas"], time: "[2000 TO 2001]" },
    { file: "/b.nc", project: ["CMIP5"], variable: ["pr"], bbox: "ENVELOPE(0,10,10,0)" },
  ]);
  token = (await signIn(service, (await addUser(service.dataDir)).name)).access_token;
}, 120_000);
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs schemathesis; gives its report where it finds something, and "" otherwise. */
async function schemathesis(...options: readonly string[]): Promise<string> {
  const command = join(dirname(ensurePython()), "schemathesis");
  const parameters = [
    ...["run", `${service.address}/openapi.json`, "--no-color", "--continue-on-failure"],
    ...["--header", `Authorization: Bearer ${token}`, "--seed", "1"],
    ...options,
  ];
  const run = promisify(execFile)(command, parameters, { cwd: folder, maxBuffer: 64 << 20 });
  return run.then(
    ({ stdout }) => (/\b(\d{3,}) generated, \1 passed/.test(stdout) ? "" : stdout),
    ({ stdout, stderr }) => `${stdout}${stderr}`,
  );
}

describe("schemathesis finds no answer that the contract does not have", () => {
  it("to requests of all operations, right and wrong", async () => {
    const found = await schemathesis(
      ...["--phases", attempts("examples,fuzzing", "examples,coverage,fuzzing")],
      ...["--max-examples", "15", "--checks", "all"],
      // A query that fits its schema may name a facet that does not exist, an id that nothing has.
      ...["--exclude-checks", "positive_data_acceptance"],
    );
    expect(found).toBe("");
  }, 600_000);
});
