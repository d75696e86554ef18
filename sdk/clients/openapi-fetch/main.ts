import { writeFileSync } from "node:fs";
import createClient from "openapi-fetch";
import type { paths } from "./client";
import { CREDENTIALS, DELETED, FREE, KEPT, linesOf, PROJECT, SERVER } from "./task";

const api = createClient<paths>({ baseUrl: SERVER });

/** What came, or what was refused as an exception. */
function must<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

const path = { flavour: "cmip6", uniq_key: "file" } as const;
const query = {
  experiment_id: ["historical"],
  variable_id: ["tas", "pr"],
  standard_name: ["air_temperature", "precipitation_flux"],
};

const overview = must(await api.GET("/databrowser/overview"));
const list = await api.GET("/databrowser/data-search/{flavour}/{uniq_key}", {
  params: { path, query },
  parseAs: "text",
});
const counts = must(
  await api.GET("/databrowser/metadata-search/{flavour}/{uniq_key}", { params: { path, query } }),
);
const archive = must(
  await api.GET("/databrowser/stac-catalogue/{flavour}/{uniq_key}", {
    params: { path, query },
    parseAs: "arrayBuffer",
  }),
);
writeFileSync("stac.zip", new Uint8Array(archive));

const headers = { "Content-Type": "application/x-www-form-urlencoded" };
const first = must(await api.POST("/auth/v2/token", { body: CREDENTIALS, headers }));
const token = must(
  await api.POST("/auth/v2/token", { body: { refresh_token: first.refresh_token }, headers }),
);
const signedIn = createClient<paths>({
  baseUrl: SERVER,
  headers: { Authorization: `Bearer ${token.access_token}` },
});
const status = must(await signedIn.GET("/auth/v2/status"));

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
  await signedIn.POST("/databrowser/userdata", {
    body: {
      user_metadata: [
        { ...entry, file: KEPT },
        { ...entry, file: DELETED },
      ],
      facets: { product: "output" },
    },
  }),
);
async function mine(): Promise<string[]> {
  const found = await api.GET("/databrowser/data-search/{flavour}/{uniq_key}", {
    params: {
      path: { flavour: "user", uniq_key: "file" },
      query: { project: [PROJECT], model: ["my-model"] },
    },
    parseAs: "text",
  });
  return linesOf(must(found));
}
const found = await mine();
const deleted = must(await signedIn.DELETE("/databrowser/userdata", { body: { file: DELETED } }));
const left = await mine();

const { error: problem } = await api.GET("/databrowser/data-search/{flavour}/{uniq_key}", {
  params: { path, query: { ...query, time: ["tomorrow"] } },
  parseAs: "text",
});

console.log(
  JSON.stringify({
    flavours: overview.flavours,
    facets_of_cmip6: overview.attributes.cmip6,
    files: linesOf(must(list)),
    total: counts.total_count,
    variables: counts.facets.variable_id,
    archive: archive.byteLength,
    email: status.email,
    renewed: token.refresh_token !== first.refresh_token,
    added: added.status,
    found,
    deleted: deleted.status,
    left,
    problem: problem && {
      ...{ type: problem.type, status: problem.status, detail: problem.detail },
      errors: problem.errors,
    },
  }),
);
