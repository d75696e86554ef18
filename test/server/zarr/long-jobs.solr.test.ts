/** A job that takes longer than an access token lives. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline/promises";
import { expect, it } from "vitest";
import { PREFIX } from "../../../generated/prefix.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { pythonOf } from "../../support/programs/python.js";
import { TestClock } from "../../support/run/test-clock.js";
import { SAMPLE_FILE } from "../../support/service/sample.js";
import { addUser, signIn } from "../../support/service/sign-in.js";
import { useService } from "../../support/service/use-service.js";

const ACCESS_TOKEN_LIFETIME = 600;

const clock = new TestClock();
const service = useService({
  auth: { accessTokenLifetime: ACCESS_TOKEN_LIFETIME },
  clock: clock.now,
  documents: [{ file: SAMPLE_FILE, project: ["CMIP6"], variable: ["tas"] }],
});

it("a long dataset is read to its end by a shared address, and with a renewed token, as the README says", async () => {
  const { name } = await addUser(service.dataDir);
  const { access_token: access, refresh_token: refresh } = await signIn(service, name);
  const script = packagePath("test", "python", "long_job.py");
  const job = spawn(pythonOf(), [script, service.address + PREFIX, access, refresh], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const printed: string[] = [];
  for await (const line of createInterface(job.stdout)) {
    printed.push(line);
    if (line !== "opened") continue;
    clock.ahead = 2 * ACCESS_TOKEN_LIFETIME * 1000;
    job.stdin.end("\n");
  }
  const seen = JSON.parse(printed.at(-1) ?? "") as Record<string, number | string>;
  expect(printed).toHaveLength(2);
  expect(seen.shared).toBeGreaterThan(200);
  expect(seen.expired).toMatch(/401/);
  expect(seen.renewed).toBe(seen.shared);
});
