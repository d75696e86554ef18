/** A job that takes longer than an access token lives. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { PREFIX } from "../../generated/prefix.js";
import { packagePath } from "../../src/platform/package-root.js";
import { python } from "../support/python.js";
import { emptyIndex, load, startService, type TestService } from "../support/service.js";
import { addUser, signIn } from "../support/sign-in.js";

const NETCDF = packagePath(
  "data/files/CMIP6/CMIP/MPI-M/MPI-ESM1-2-LR/historical/r1i1p1f1/Amon/tas/gn/v20190710",
  "tas_Amon_MPI-ESM1-2-LR_historical_r1i1p1f1_gn_198501-198912.nc",
);

let service: TestService;
beforeAll(async () => {
  service = await startService({ auth: { accessTokenLifetime: 8 } });
  await emptyIndex(service.solr);
  await load(service.solr, [{ file: NETCDF, project: ["CMIP6"], variable: ["tas"] }]);
});
afterAll(() => service.close());

it("is read to its end by a shared address, and with a token that is renewed, as the README says", async () => {
  const { name } = await addUser(service.dataDir);
  const { access_token: access, refresh_token: refresh } = await signIn(service, name);
  const printed = await python("long_job.py", service.address + PREFIX, access, refresh);
  const seen = JSON.parse(printed) as Record<string, number | string>;
  expect(seen.shared).toBeGreaterThan(200);
  expect(seen.expired).toMatch(/401/);
  expect(seen.renewed).toBe(seen.shared);
}, 60_000);
