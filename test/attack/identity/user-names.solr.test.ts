/** Names of users: without a token, no search in any operation, flavour or spelling tells them letter by letter. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OPERATIONS } from "../../../generated/operations.js";
import { PREFIX } from "../../../generated/prefix.js";
import { routes } from "../../../generated/routes.js";
import { Users } from "../../../src/identity/accounts/users.js";
import { makeFlavour, removeGlobal } from "../../support/service/flavours.js";
import { calls } from "../../support/service/operations.js";
import { bearer, jsonRequest } from "../../support/service/sign-in.js";
import { usePerson, useService } from "../../support/service/use-service.js";

const service = useService({
  documents: [
    { file: "/public.nc", variable: ["tas"], model: ["m"] },
    { file: "/home/alice/a.nc", variable: ["tas"], model: ["m"], user: "alice" },
    { file: "/home/star/b.nc", variable: ["pr"], model: ["m"], user: "a*b" },
  ],
});
const ada = usePerson(service);
beforeAll(async () => {
  await new Users(service.dataDir).setAdministrator(ada.name, true);
  await removeGlobal(service, ada);
  await makeFlavour(service, ada, "people", { user: "who", variable: "quantity" }, true);
});
afterAll(() => removeGlobal(service, ada));

/** The addresses of all operations that search by `GET`, from the contract. */
const searching = (flavour: string): string[] =>
  calls({ flavour })
    .filter(
      ({ id, method, parameters }) =>
        method === "GET" && parameters && routes[id].path.includes("{flavour}"),
    )
    .map(({ address }) => `${address.replace(PREFIX, "")}&`);

/** Searches for more than one full name. @param key the flavour's name of the facet */
const probes = (key: string): string[] => [
  `${key}=a*`,
  `${key}=*`,
  `${key}=alic?`,
  `${key}=alice&${key}=z*`,
  `${key}_not_=alice`,
  `${key}_not_=z*`,
  `${key}=-alice`,
  `${key}=!alice`,
  `${key}=not%20alice`,
  `${key}[]=a*`,
  `${key}=${encodeURIComponent('["alice","z*"]')}`,
  `${key}=${encodeURIComponent('-["alice"]')}`,
  `filter=${key}=a*`,
  `filters=${encodeURIComponent(JSON.stringify({ [key]: "a*" }))}`,
  `filters=${encodeURIComponent(JSON.stringify({ [`${key}_not_`]: ["alice"] }))}`,
  `filters[${key}]=a*`,
];

const cart = (flavour: string, parameters: object, headers = {}): Promise<Response> =>
  service.get("/databrowser/cart/cmip6/file", {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify({ as: "paths", searches: [{}, { flavour, parameters }] }),
  });

describe("a request without a token", () => {
  it("is tried in every operation that searches", () => {
    expect(searching("user").length).toBeGreaterThanOrEqual(14);
    expect(OPERATIONS.downloadCart.access).toBe("optional");
  });

  it.each([
    ["user", "user"],
    ["native", "user"],
    ["people", "who"],
    ["people", "user&translate=false"],
  ])(
    "gets 401 for wildcards and exclusions of users in the flavour %s, as %s",
    async (flavour, name) => {
      const [key = "", native = ""] = name.split("&");
      for (const place of searching(flavour)) {
        for (const probe of probes(key)) {
          const address = `${place}${probe}&${native}`;
          const response = await service.get(address);
          expect([response.status, await response.text()], address).toEqual([
            401,
            expect.stringContaining("access token"),
          ]);
        }
      }
    },
  );

  it("gets 401 for them in a cart", async () => {
    for (const [flavour, key] of [
      ["user", "user"],
      ["people", "who"],
    ] as const) {
      for (const parameters of [
        { [key]: ["a*"] },
        { [key]: "a*" },
        { [key]: ["alice", "z*"] },
        { [key]: ["-alice"] },
        { [`${key}_not_`]: ["alice"] },
        { filter: [`${key}=a*`] },
      ]) {
        expect((await cart(flavour, parameters)).status, JSON.stringify(parameters)).toBe(401);
      }
    }
  });

  it("finds by a full name, in which an escaped wildcard is a character", async () => {
    const list = async (query: string): Promise<string> =>
      (await service.get(`/databrowser/data-search/user/file?${query}`)).text();
    expect(await list("user=ALICE")).toBe("/home/alice/a.nc\n");
    expect(await list("user=a%5C*b")).toBe("/home/star/b.nc\n");
    expect(await list("user=ali")).toBe("");
    expect((await cart("user", { user: ["alice"] })).status).toBe(200);
  });

  it("cannot list users as facets, rows, columns, groups or fields", async () => {
    for (const [place, status] of [
      ["metadata-search/user/file?facets=user", 401],
      ["extended-search/user/file?facets=user", 401],
      ["extended-search/user/file?fields=user", 401],
      ["extended-search/people/file?facets=who", 401],
      ["extended-search/user/file?fields=file,user&format=csv", 401],
      ["coverage/user?rows=user&columns=model", 401],
      ["coverage/user?rows=model&columns=user", 401],
      ["complete/user?group_by=user", 422],
      ["complete/user?group_by=model&need=user:alice", 422],
      ["complete/user?require_all_on=user&model=m", 422],
    ] as const) {
      expect((await service.get(`/databrowser/${place}`)).status, place).toBe(status);
    }
  });

  it("cannot list users as fields of a cart", async () => {
    const searches = [{ flavour: "user", parameters: {} }];
    const body = { format: "csv", searches, fields: ["user"] };
    const path = "/databrowser/cart/user/file";
    expect((await service.get(path, jsonRequest("POST", body))).status).toBe(401);
    expect((await service.get(path, jsonRequest("POST", body, ada.token))).status).toBe(200);
  });

  it("reads no names of users in public operations", async () => {
    for (const place of searching("user")) {
      const response = await service.get(`${place}model=m`);
      if (place.startsWith("/databrowser/load")) continue;
      // Paths are shown: they may contain the name of a folder.
      const text = (await response.text()).replaceAll("/home/alice", "");
      expect([response.status, text.includes("alice")], place).toEqual([200, false]);
    }
  });
});

it("users who are signed in use wildcards and exclusions of users, and list them", async () => {
  const get = async (place: string): Promise<string> =>
    (await service.get(`/databrowser/${place}`, bearer(ada.token))).text();
  expect(await get("data-search/user/file?user=ali*")).toBe("/home/alice/a.nc\n");
  expect(await get("data-search/user/file?user_not_=alice")).toBe("/home/star/b.nc\n");
  expect(await get("coverage/user?rows=user&columns=variable")).toContain('"alice"');
  expect(await get("extended-search/user/file?fields=user")).toContain('"alice"');
  const { headers } = bearer(ada.token);
  expect(await (await cart("user", { user: ["ali*"] }, headers)).text()).toContain("alice");
});
