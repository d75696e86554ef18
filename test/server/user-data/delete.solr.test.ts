/** Deleting user data. */
import { request } from "node:http";
import { beforeEach, describe, expect, it } from "vitest";
import { PREFIX } from "../../../generated/prefix.js";
import { ownerOf } from "../../../src/domain/user-data/owner.js";
import { fillIndex, load, postToSolr } from "../../support/service/service.js";
import { problem } from "../../support/service/sign-in.js";
import { usePerson, useService } from "../../support/service/use-service.js";
import {
  add,
  deleted,
  entry,
  listed,
  message,
  person,
  remove,
  send,
  stored,
} from "../../support/service/user-data.js";

const service = useService();
const ada = usePerson(service);
const bob = usePerson(service);

const BOBS = ["/u/a.nc", "/u/bob.nc"];
beforeEach(async () => {
  await fillIndex(service.solr, [{ file: "/pool/a.nc", model: "m1" }]);
  await message(
    await add(
      service,
      bob,
      BOBS.map((file) => entry(file, { model: "m1" })),
    ),
  );
  const entries = [
    entry("/v/1.nc", { model: "m1", time: "2000", bbox: "0,10,0,10", uri: "file:///v/1.nc" }),
    entry("/v/2.nc", { model: "M2", variable: "pr", time: "2001", bbox: "20,30,0,10" }),
    entry("/v/w/3.nc", { model: "-m3", time: "2002", version: "v3" }),
    entry("/v/w/4*.nc", { model: "not m1", time: "2003", ensemble: ["r1", "r2"] }),
  ];
  await message(await add(service, ada, entries));
});

/** What is left of Ada's; of the others everything must be. */
async function left(): Promise<string[]> {
  const files = await stored(service);
  const names = files.map(({ file }) => file);
  expect(names).toEqual(expect.arrayContaining(["/pool/a.nc", ...BOBS]));
  return names.filter((name) => name.startsWith("/v/")).map((name) => name.slice(3));
}

describe("a deletion", () => {
  it.each([
    [{}, 4, []],
    [{ model: "m1" }, 1, ["2.nc", "w/3.nc", "w/4*.nc"]],
    [{ model: "m2" }, 1, ["1.nc", "w/3.nc", "w/4*.nc"]],
    [{ file: "/v/w/*" }, 2, ["1.nc", "2.nc"]],
    [{ file: "*/?.nc" }, 3, ["w/4*.nc"]],
    [{ file: "/V/1.nc" }, 0, ["1.nc", "2.nc", "w/3.nc", "w/4*.nc"]],
    [{ file: "*\\**" }, 1, ["1.nc", "2.nc", "w/3.nc"]],
    [{ uri: "file:///v/*" }, 1, ["2.nc", "w/3.nc", "w/4*.nc"]],
    [{ version: "v3" }, 1, ["1.nc", "2.nc", "w/4*.nc"]],
    [{ ensemble: "r2" }, 1, ["1.nc", "2.nc", "w/3.nc"]],
    [{ model: "m*", variable: "tas" }, 1, ["2.nc", "w/3.nc", "w/4*.nc"]],
    [{ model: "m1", variable: "pr" }, 0, ["1.nc", "2.nc", "w/3.nc", "w/4*.nc"]],
    [{ model: "-m3" }, 1, ["1.nc", "2.nc", "w/4*.nc"]],
    [{ model: "not m1" }, 1, ["1.nc", "2.nc", "w/3.nc"]],
    [{ model: "!m1" }, 0, ["1.nc", "2.nc", "w/3.nc", "w/4*.nc"]],
    [{ time: "2001-06 to 2002" }, 2, ["1.nc", "w/4*.nc"]],
    [{ bbox: "5,6,5,6" }, 1, ["2.nc", "w/3.nc", "w/4*.nc"]],
    [{ time: "2000", bbox: "20,25,0,1" }, 0, ["1.nc", "2.nc", "w/3.nc", "w/4*.nc"]],
    [{ model: "*" }, 4, []],
    [{ file: "/pool/a.nc" }, 0, ["1.nc", "2.nc", "w/3.nc", "w/4*.nc"]],
    [{ file: "/u/a.nc" }, 0, ["1.nc", "2.nc", "w/3.nc", "w/4*.nc"]],
  ])(
    "removes with %j %i documents, and the next search shows it",
    async (selection, count, rest) => {
      expect(await message(await remove(service, ada, selection))).toBe(deleted(count));
      expect(await left()).toEqual(rest);
      expect(await listed(service)).toEqual([...BOBS, ...rest.map((name) => `/v/${name}`)].sort());
    },
  );

  it("removes nothing by the name of another user", async () => {
    expect(await message(await remove(service, ada, { user: bob.name }))).toBe(deleted(0));
    expect(await message(await remove(service, ada, { user: "*" }))).toBe(deleted(4));
    expect(await left()).toEqual([]);
  });

  it("removes nothing without an owner, not even under the user's name", async () => {
    // As by `index`: a name may be another person's by now.
    await load(service.solr, [{ file: "/v/managed.nc", user: ada.name }]);
    expect(await message(await remove(service, ada, { file: "/v/managed.nc" }))).toBe(deleted(0));
    expect(await message(await remove(service, ada, { user: ada.name }))).toBe(deleted(4));
    expect(await left()).toEqual(["managed.nc"]);
  });

  it("removes documents that no search shows yet", async () => {
    const unseen = entry("/v/unseen.nc", { user: ada.name, owner: ada.sub });
    await postToSolr(service.solr, [unseen], false);
    expect(await message(await remove(service, ada, {}))).toBe(deleted(5));
    expect(await left()).toEqual([]);
  });

  it.each([
    ["an unknown key", { modle: "m1" }, "modle"],
    ["a flavour's name", { source_id: "m1" }, "source_id"],
    ["a field that is no facet", { owner: "x" }, "owner"],
    ["a negated key", { model_not_: "m1" }, "model_not_"],
    ["a key like query syntax", { "model:* OR user": "x" }, "model:* OR user"],
    ["an empty value", { model: "" }, "model"],
    ["a value that is no string", { model: ["m1"] }, "model"],
    ["a time that is none", { time: "soon" }, "time"],
    ["a key that validators pass over", '{"__proto__":"x"}', "__proto__"],
  ])("is 422 and names it by %s", async (_, selection, name) => {
    const response = await remove(service, ada, selection);
    expect(response.status).toBe(422);
    expect((await problem(response)).errors?.map((one) => one.name)).toEqual([name]);
    expect(await left()).toHaveLength(4);
  });

  it("is 422 and names all of several wrong keys and values", async () => {
    const response = await remove(service, ada, { modle: "m1", model: "", time: 3, bbox: "x" });
    expect(response.status).toBe(422);
    const { errors } = await problem(response);
    expect(errors?.map((one) => one.name).sort()).toEqual(["bbox", "model", "modle", "time"]);
    expect(await left()).toHaveLength(4);
  });

  it.each([
    ["[]", 422],
    ["null", 422],
    ['"x"', 422],
    ["", 400],
    ["{", 400],
  ])("has for the body %j the status %i", async (body, expected) => {
    expect((await send(service, "DELETE", ada, body)).status).toBe(expected);
    expect(await left()).toHaveLength(4);
  });

  it.each([
    ["no type", {}],
    ["a type", { "Content-Type": "application/json" }],
    ["a type and a length of 0", { "Content-Type": "application/json", "Content-Length": "0" }],
    ["a length of 0", { "Content-Length": "0" }],
  ])(
    "deletes nothing and is 400 without a body, with %s",
    async (_, headers: Record<string, string>) => {
      const status = await new Promise<number | undefined>((resolve, reject) => {
        const call = request(`${service.address}${PREFIX}/databrowser/userdata`, {
          method: "DELETE",
          headers: { Authorization: `Bearer ${ada.token}`, ...headers },
        });
        call
          .on("response", (response) => resolve(response.resume().statusCode))
          .on("error", reject);
        call.end();
      });
      expect(status).toBe(400);
      expect(await left()).toHaveLength(4);
    },
  );
});

describe("an owner", () => {
  it("differs from one whose name differs by case alone", async () => {
    const name = `Zoe-${crypto.randomUUID()}`;
    const upper = await person(service, name);
    const lower = await person(service, name.toLowerCase());
    await message(await add(service, upper, [entry("/z/1.nc")]));
    expect(await message(await remove(service, lower, {}))).toBe(deleted(0));
    expect(await message(await remove(service, lower, { user: name }))).toBe(deleted(0));
    expect(await message(await remove(service, upper, {}))).toBe(deleted(1));
  });

  it("is no account of this service if an outside provider has it, whatever its name and subject", () => {
    const here = "https://data.example.org/api/climate-nextgen";
    const local = { sub: "s", username: "ada", issuer: here };
    const outside = { ...local, issuer: "https://id.example.org" };
    const other = { ...local, issuer: "https://other.example.org" };
    const ids = [local, outside, other].map((one) => ownerOf(one, here).id);
    expect(new Set(ids).size).toBe(3);
    expect(ownerOf({ ...outside, username: "" }, here).user).toBe("s");
  });
});
