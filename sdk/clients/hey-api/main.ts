import { readFileSync, writeFileSync } from "node:fs";
import * as sdk from "./client";
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
import { client } from "./client/client.gen";
import { CREDENTIALS, DELETED, FREE, KEPT, linesOf, PROJECT, SERVER } from "./task";

client.setConfig({ baseUrl: SERVER });

const query = { experiment_id: ["historical"], variable_id: ["tas", "pr"] };
const path = { flavour: "cmip6", uniq_key: "file" } as const;

const { data: overview } = await getOverview({ throwOnError: true });
const { data: list } = await searchData({ path, query, throwOnError: true });
const { data: counts } = await searchMetadata({ path, query, throwOnError: true });
const { data: archive } = await createStacCatalogue({ path, query, throwOnError: true });
writeFileSync("stac.zip", new Uint8Array(await archive.arrayBuffer()));

const { data: first } = await issueToken({ body: CREDENTIALS, throwOnError: true });
const { data: token } = await issueToken({
  body: { refresh_token: first.refresh_token },
  throwOnError: true,
});
client.setConfig({ auth: token.access_token });
const { data: status } = await tokenStatus({ throwOnError: true });

/** Every operation that searches: what it answers its example. */
const answers: Record<string, string | number> = {};
for (const { id, path, query } of JSON.parse(readFileSync("calls.json", "utf8"))) {
  const operation = (sdk as unknown as Record<string, typeof searchData>)[id];
  const { data } = await operation({ path, query, throwOnError: true });
  const answer: unknown = data;
  if (answer instanceof Blob) answers[id] = answer.size;
  else answers[id] = typeof answer === "string" ? answer : JSON.stringify(answer);
}

const entry = {
  variable: ["tas", "pr"],
  time: "1985 to 1989",
  time_frequency: "mon",
  bbox: "-10,30,35,70",
  project: [PROJECT],
  model: ["my-model"],
  extra: FREE,
};
const { data: added } = await addUserData({
  body: {
    user_metadata: [
      { ...entry, file: KEPT },
      { ...entry, file: DELETED },
    ],
    facets: { product: "output" },
  },
  throwOnError: true,
});
async function mine(): Promise<string[]> {
  const { data } = await searchData({
    path: { flavour: "user", uniq_key: "file" },
    query: { project: [PROJECT], model: ["my-model"] },
    throwOnError: true,
  });
  return linesOf(data);
}
const found = await mine();
const { data: deleted } = await deleteUserData({ body: { file: DELETED }, throwOnError: true });
const left = await mine();

const { error: problem } = await searchData({ path, query: { ...query, time: ["tomorrow"] } });

console.log(
  JSON.stringify({
    flavours: overview.flavours,
    facets_of_cmip6: overview.attributes.cmip6,
    files: linesOf(list),
    total: counts.total_count,
    variables: counts.facets.variable_id,
    archive: archive.size,
    email: status.email,
    renewed: token.refresh_token !== first.refresh_token,
    added: added.status,
    found,
    deleted: deleted.status,
    left,
    answers,
    problem: problem && {
      ...{ type: problem.type, status: problem.status, detail: problem.detail },
      errors: problem.errors,
    },
  }),
);
