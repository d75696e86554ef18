import { writeFileSync } from "node:fs";
import {
  addUserData,
  createStacCatalogue,
  deleteUserData,
  getOverview,
  issueToken,
  searchData,
  searchMetadata,
  tokenStatus,
} from "./client";
import { signIn } from "./request";
import { CREDENTIALS, DELETED, FREE, KEPT, linesOf, PROJECT } from "./task";

/** An answer with one of the statuses that mean success. */
function must<T extends { status: number; data: unknown }, S extends T["status"]>(
  answer: T,
  status: S,
): Extract<T, { status: S }>["data"] {
  if (answer.status !== status) throw new Error(`${answer.status}: ${JSON.stringify(answer.data)}`);
  return answer.data;
}

const query = { experiment_id: ["historical"], variable_id: ["tas", "pr"] };

const overview = must(await getOverview(), 200);
const files = linesOf(must(await searchData("cmip6", "file", query), 200));
const counts = must(await searchMetadata("cmip6", "file", query), 200);
const archive = must(await createStacCatalogue("cmip6", "file", query), 200);
writeFileSync("stac.zip", new Uint8Array(await archive.arrayBuffer()));

const first = must(await issueToken(CREDENTIALS), 200);
const token = must(await issueToken({ refresh_token: first.refresh_token }), 200);
signIn(token.access_token);
const status = must(await tokenStatus(), 200);

const entry = {
  variable: ["tas", "pr"],
  time: "1985 to 1989",
  time_frequency: "mon",
  bbox: "-10,30,35,70",
  project: [PROJECT],
  model: ["my-model"],
  extra: FREE,
};
const added = must(
  await addUserData({
    user_metadata: [
      { ...entry, file: KEPT },
      { ...entry, file: DELETED },
    ],
    facets: { product: "output" },
  }),
  202,
);
const mine = async (): Promise<string[]> =>
  linesOf(must(await searchData("user", "file", { project: [PROJECT], model: ["my-model"] }), 200));
const found = await mine();
const deleted = must(await deleteUserData({ file: DELETED }), 202);
const left = await mine();

const problem = must(await searchData("cmip6", "file", { ...query, time: ["tomorrow"] }), 422);

console.log(
  JSON.stringify({
    flavours: overview.flavours,
    facets_of_cmip6: overview.attributes.cmip6,
    files,
    total: counts.total_count,
    variables: counts.facets.variable_id,
    archive: archive.size,
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
