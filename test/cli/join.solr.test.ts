/** The command join: plans of files on this machine, and of what a search of a service finds. */
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { JoinPlan } from "../../generated/schemas.js";
import { makeJoins } from "../files/zarr/joins/joins.js";
import { freshFolder } from "../support/run/folders.js";
import { runHere } from "../support/service/command-here.js";
import { fillIndex } from "../support/service/service.js";
import { signIn } from "../support/service/sign-in.js";
import { useService, useUser } from "../support/service/use-service.js";

const folder = freshFolder();
const service = useService({ dataRoots: [folder] });
const name = useUser(service);
let refreshToken: string;

beforeAll(async () => {
  refreshToken = (await signIn(service, name)).refresh_token;
  const sets = await makeJoins(join(folder, "sets"), "gap", "units_of_data");
  await fillIndex(
    service.solr,
    sets.flatMap(({ name: model, files, folder: place }) =>
      files.map((file) => ({
        file: join(place, file),
        project: ["plans"],
        variable: ["tas"],
        version: "v20200101",
        model: [model],
      })),
    ),
  );
});

const plan = (set: string, args: readonly string[], input?: string) =>
  runHere(["join", "--plan", ...args], {
    env: {
      XDG_CONFIG_HOME: folder,
      HOME: folder,
      CLIMATE_NEXTGEN_REFRESH_TOKEN: refreshToken,
    },
    cwd: join(folder, "sets", set),
    ...(input !== undefined && { input }),
  });

const GAP = "6 days from 2000-01-04T00:00:00 to 2000-01-10T00:00:00, where 1 are usual.";

describe("the command join", () => {
  it("prints the files in their order, how each variable is read, and gaps", async () => {
    const { status, stdout, stderr } = await plan("gap", ["part1.nc", "part0.nc"]);
    expect([status, stderr]).toEqual([0, ""]);
    const lines = stdout.split("\n");
    expect(lines.slice(0, 3)).toEqual([
      "2 files, 9 steps along time in days since 2000-01-01 (noleap)",
      "  2000-01-01T00:00:00 to 2000-01-04T00:00:00  4 steps  part0.nc",
      "  2000-01-10T00:00:00 to 2000-01-14T00:00:00  5 steps  part1.nc",
    ]);
    expect(lines).toContain("  tas: stored bytes, as they are (9 chunks)");
    expect(stdout).toContain(`gaps\n  ${GAP}\n`);
  });

  it("reads a list of files, and says with status 1 why files are not joined", async () => {
    const listed = await plan("units_of_data", ["--json", "-"], "part0.nc\npart1.nc\n");
    const reason = 'The units of tas differ: "K" in part0.nc, "degC" in part1.nc.';
    expect(listed).toMatchObject({ status: 1, stderr: `${reason}\n` });
    expect(JSON.parse(listed.stdout)).toEqual({ state: "refused", reason });
    const strict = await plan("gap", ["--strict", "part0.nc", "part1.nc"]);
    expect(strict).toMatchObject({ status: 1, stdout: "", stderr: `The join is strict: ${GAP}\n` });
    const missing = await plan("gap", ["part0.nc", "nowhere.nc"]);
    expect(missing.status).toBe(1);
    expect(missing.stderr).toContain("nowhere.nc: The file is not there any more.");
  });

  it("prints the address and the plan of each dataset that a search finds", async () => {
    const search = ["--search", "--host", service.address, "project=plans"];
    const { status, stdout, stderr } = await plan("gap", search);
    expect(status).toBe(1);
    expect(stdout).toMatch(/^\S+\n\S+\/data-portal\/zarr\/[\w-]+\.zarr\n/m);
    expect(stdout).toContain(`gaps\n  ${GAP}\n`);
    expect(stderr).toContain('The units of tas differ: "K" in part0.nc, "degC" in part1.nc.');
    const json = await plan("gap", ["--json", ...search]);
    const found = json.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { readonly plan: JoinPlan; readonly url: string });
    expect(found.map((one) => one.plan.state).sort()).toEqual(["joined", "refused"]);
    const nothing = await plan("gap", [...search, "model=none"]);
    expect(nothing).toMatchObject({ status: 1, stdout: "" });
  });
});
