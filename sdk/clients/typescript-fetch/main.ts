import { writeFileSync } from "node:fs";
import {
  AuthApi,
  CataloguesApi,
  Configuration,
  type ParameterError,
  type Problem,
  ProblemFromJSON,
  ResponseError,
  SearchApi,
  UniqKey,
  UserDataApi,
} from "./client";
import { CREDENTIALS, DELETED, FREE, KEPT, linesOf, PROJECT, SERVER } from "./task";

const basePath = SERVER;
const search = new SearchApi(new Configuration({ basePath }));
const query = {
  flavour: "cmip6",
  uniqKey: UniqKey.File,
  experimentId: ["historical"],
  variableId: ["tas", "pr"],
};

const overview = await search.getOverview();
const files = linesOf(await search.searchData(query));
const counts = await search.searchMetadata(query);
const archive = await new CataloguesApi(new Configuration({ basePath })).createStacCatalogue(query);
writeFileSync("stac.zip", new Uint8Array(await archive.arrayBuffer()));

const auth = new AuthApi(new Configuration({ basePath }));
const first = await auth.issueToken(CREDENTIALS);
const token = await auth.issueToken({ refreshToken: first.refreshToken });
const signedIn = new Configuration({ basePath, accessToken: token.accessToken });
const status = await new AuthApi(signedIn).tokenStatus();

const userData = new UserDataApi(signedIn);
const entry = {
  variable: ["tas", "pr"],
  time: "1985 to 1989",
  timeFrequency: "mon",
  bbox: "-10,30,35,70",
  project: [PROJECT],
  model: ["my-model"],
  extra: FREE,
};
const added = await userData.addUserData({
  userDataRequest: {
    userMetadata: [
      { ...entry, file: KEPT },
      { ...entry, file: DELETED },
    ],
    facets: { product: "output" },
  },
});
const mine = async () =>
  linesOf(
    await search.searchData({
      flavour: "user",
      uniqKey: UniqKey.File,
      project: [PROJECT],
      model: ["my-model"],
    }),
  );
const found = await mine();
const deleted = await userData.deleteUserData({ requestBody: { file: DELETED } });
const left = await mine();

async function refusal(): Promise<Problem> {
  try {
    await search.searchData({ ...query, time: ["tomorrow"] });
  } catch (error) {
    if (error instanceof ResponseError) return ProblemFromJSON(await error.response.json());
    throw error;
  }
  throw new Error("it was not refused");
}
const { type, status: code, detail, errors = [] } = await refusal();

console.log(
  JSON.stringify({
    flavours: overview.flavours,
    facets_of_cmip6: overview.attributes.cmip6,
    files,
    total: counts.totalCount,
    variables: counts.facets.variable_id,
    archive: archive.size,
    email: status.email,
    renewed: token.refreshToken !== first.refreshToken,
    added: added.status,
    found,
    deleted: deleted.status,
    left,
    problem: {
      ...{ type, status: code, detail },
      errors: errors.map((each: ParameterError) => ({
        name: each.name,
        location: each.location,
        reason: each.reason,
      })),
    },
  }),
);
