import { writeFileSync } from "node:fs";
import { handle, ok } from "@oazapfts/runtime";
import * as api from "./client";
import { CREDENTIALS, DELETED, FREE, KEPT, linesOf, PROJECT, SERVER } from "./task";

api.defaults.baseUrl = SERVER;
const query = { experimentId: ["historical"], variableId: ["tas", "pr"] };

const overview = await ok(api.getOverview());
const files = linesOf(await ok(api.searchData("cmip6", "file", query)));
const counts = await ok(api.searchMetadata("cmip6", "file", query));
// Where an error is JSON it reads all answers as text, so that the bytes are taken on their way.
let archive = new ArrayBuffer(0);
const keeping: typeof fetch = async (...request) => {
  const response = await fetch(...request);
  archive = await response.clone().arrayBuffer();
  return response;
};
await ok(api.createStacCatalogue("cmip6", "file", query, { fetch: keeping }));
writeFileSync("stac.zip", new Uint8Array(archive));

const first = await ok(api.issueToken(CREDENTIALS));
const token = await ok(api.issueToken({ refresh_token: first.refresh_token }));
const signedIn = { headers: { Authorization: `Bearer ${token.access_token}` } };
const status = await ok(api.tokenStatus(signedIn));

const entry = {
  variable: ["tas", "pr"],
  time: "1985 to 1989",
  time_frequency: "mon",
  bbox: "-10,30,35,70",
  project: [PROJECT],
  model: ["my-model"],
  extra: FREE,
};
const added = await ok(
  api.addUserData(
    {
      user_metadata: [
        { ...entry, file: KEPT },
        { ...entry, file: DELETED },
      ],
      facets: { product: "output" },
    },
    signedIn,
  ),
);
const mine = async (): Promise<string[]> =>
  linesOf(await ok(api.searchData("user", "file", { project: [PROJECT], model: ["my-model"] })));
const found = await mine();
const deleted = await ok(api.deleteUserData({ file: DELETED }, signedIn));
const left = await mine();

const problem = await handle(api.searchData("cmip6", "file", { ...query, time: ["tomorrow"] }), {
  422: (refused) => refused,
});
if (typeof problem === "string") throw new Error("it was not refused");

console.log(
  JSON.stringify({
    flavours: overview.flavours,
    facets_of_cmip6: overview.attributes.cmip6,
    files,
    total: counts.total_count,
    variables: counts.facets.variable_id,
    archive: archive.byteLength,
    email: status.email,
    renewed: token.refresh_token !== first.refresh_token,
    added: added.status,
    found,
    deleted: deleted.status,
    left,
    problem: {
      ...{ type: problem.type, status: problem.status, detail: problem.detail },
      errors: problem.errors,
    },
  }),
);
