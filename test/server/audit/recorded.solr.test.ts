/** What of requests to a running service is recorded, and what is not. */
import { copyFile, mkdir, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { PREFIX } from "../../../generated/prefix.js";
import { routes } from "../../../generated/routes.js";
import type { MadeScriptToken, SharedZarr, Token } from "../../../generated/schemas.js";
import { datasetId } from "../../../src/files/zarr/address.js";
import { PAGE_CLIENT } from "../../../src/identity/sign-in/authorization-request.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { EVENT_OF, EVENTS } from "../../../src/server/audit/events.js";
import { freshFolder } from "../../support/run/folders.js";
import { asked, CookieBrowser, pkce, redeem } from "../../support/service/code-flow.js";
import { flavours } from "../../support/service/flavours.js";
import { SAMPLE_FILE } from "../../support/service/sample.js";
import { fillIndex } from "../../support/service/service.js";
import { addUser, bearer, PASSWORD, post, refresh, signIn } from "../../support/service/sign-in.js";
import { useService } from "../../support/service/use-service.js";
import { add, entry, type Person, person, remove } from "../../support/service/user-data.js";

type Line = Readonly<Record<string, unknown>> & { readonly event: string };

const folder = freshFolder();
const service = useService({
  dataRoots: [packagePath("data", "files"), join(folder, "work")],
  userDataRoots: [`${join(folder, "work")}/{user}`],
  audit: { to: { folder: join(folder, "audit") }, days: 10, key: {} },
});
let ada: Person;
let bob: Person;
let own: string;

beforeAll(async () => {
  [ada, bob] = [await person(service), await person(service)];
  await fillIndex(service.solr, [
    { file: SAMPLE_FILE, project: "cmip6", model: "mpi-esm1-2-lr", variable: "tas" },
  ]);
  own = join(folder, "work", ada.name, "own.nc");
  await mkdir(join(folder, "work", ada.name), { recursive: true });
  await copyFile(SAMPLE_FILE, own);
});

/** The text of all files of a kind. */
async function text(kind: "audit" | "statistics"): Promise<string> {
  await service.audit?.flush();
  const names = (await readdir(join(folder, "audit"))).filter((name) =>
    name.startsWith(`${kind}-`),
  );
  const texts = names.map((name) => readFile(join(folder, "audit", name), "utf8"));
  return (await Promise.all(texts)).join("");
}

async function lines(event?: string): Promise<Line[]> {
  const all = (await text("audit")).trimEnd().split("\n");
  const parsed = all.map((line) => JSON.parse(line) as Line);
  return event === undefined ? parsed : parsed.filter((line) => line.event === event);
}

const json = (who: Person, method: string, body: object): RequestInit => ({
  method,
  headers: { ...bearer(who.token).headers, "Content-Type": "application/json" },
  body: JSON.stringify(body),
});

const read = (id: string, who: Person): Promise<Response> =>
  service.get(`/data-portal/zarr/${id}.zarr/.zmetadata`, bearer(who.token));

describe("the audit", () => {
  it("has an event for every operation that changes something or hands out data", () => {
    const [reading, changing] = [[] as string[], [] as string[]];
    for (const [id, { method, path }] of Object.entries(routes)) {
      // Questions that no address has room for.
      if (/\/databrowser\/cart\/|\/stac\/|\/zarr\/join$/.test(path)) continue;
      if (method !== "get") changing.push(id);
      else if (path.includes("/data-portal/")) reading.push(id);
    }
    expect(changing.length).toBeGreaterThan(8);
    expect(reading.length).toBeGreaterThan(4);
    expect([...EVENT_OF.keys()].sort()).toEqual([...changing, ...reading].sort());
    for (const id of reading) expect(EVENTS[EVENT_OF.get(id) ?? "lost"].isReading, id).toBe(true);
    for (const id of changing)
      expect(EVENTS[EVENT_OF.get(id) ?? "read"].isReading, id).toBe(undefined);
  });

  it("is documented: each event and each field is in docs/audit.md", async () => {
    const docs = await readFile(packagePath("docs", "audit.md"), "utf8");
    for (const [name, { fields }] of Object.entries(EVENTS)) {
      const row = docs.split("\n").find((line) => line.startsWith(`| \`${name}\` |`)) ?? "";
      for (const field of fields) expect(row, `${name} in docs/audit.md`).toContain(`\`${field}\``);
    }
  });

  it("has who signed in, and for failures no name but its hash", async () => {
    const user = await addUser(service.dataDir);
    const tokens = await signIn(service, user.name);
    const granted = (await lines("sign-in")).find(({ subject }) => subject === user.sub);
    expect(granted).toMatchObject({ outcome: "done", status: 200, name: user.name });
    expect(granted).toMatchObject({ client: "climate-nextgen", address: "127.0.0.1" });
    expect(String(granted?.issuer)).toBe(service.address + PREFIX);

    const mistake = "MyPassword-in-the-wrong-field";
    for (const name of [user.name, mistake, mistake]) {
      const { status } = await post(service, { username: name, password: "wrong" });
      expect(status).toBeGreaterThanOrEqual(400);
    }
    const refused = (await lines("sign-in")).filter(({ outcome }) => outcome === "refused");
    expect(refused.map(({ count }) => count)).toEqual([1, 2]);
    for (const { name, addresses } of refused) {
      expect(name).toMatch(/^p\.[\w-]{16}$/);
      expect(addresses).toEqual(["127.0.0.1"]);
    }

    expect((await refresh(service, tokens.refresh_token)).status).toBe(200);
    expect((await lines("token-refresh")).at(-1)).toMatchObject({ subject: user.sub });
    await post(service, { token: tokens.access_token }, {}, "revoke");
    expect(await lines("token-revoke")).toHaveLength(1);
    const all = await text("audit");
    for (const secret of [mistake, PASSWORD, tokens.access_token, tokens.refresh_token]) {
      expect(all).not.toContain(secret);
    }
  });

  it("has the data that were read, by whom, how often and how much, in a line for each data set", async () => {
    const id = datasetId(SAMPLE_FILE);
    await service.audit?.flush();
    const sizes = await Promise.all(
      Array.from(
        { length: 100 },
        async () => (await (await read(id, ada)).arrayBuffer()).byteLength,
      ),
    );
    await expect
      .poll(async () => (await lines("read")).reduce((sum, one) => sum + Number(one.count), 0))
      .toBe(100);
    const [line] = await lines("read");
    expect(line).toMatchObject({ outcome: "done", subject: ada.sub, name: ada.name, dataset: id });
    expect(Number(line?.bytes)).toBeGreaterThan(100 * 100);
    expect(sizes.every((size) => size > 0)).toBe(true);
  });

  it("has shares, and whose shares are read, but no ticket", async () => {
    const id = datasetId(SAMPLE_FILE);
    const shared = await service.get(
      "/data-portal/share-zarr",
      json(ada, "POST", { uuid: id, ttl_seconds: 77 }),
    );
    const { url } = (await shared.json()) as SharedZarr;
    const ticket = url.split("/share/")[1]?.split("/")[0] ?? "none";
    await (await fetch(`${url}/.zmetadata`)).arrayBuffer();
    await expect
      .poll(async () => (await lines("read")).find(({ sharer }) => sharer === ada.sub))
      .toMatchObject({ dataset: id, sharer_name: ada.name, count: 1 });
    expect((await lines("read")).find(({ sharer }) => sharer === ada.sub)).not.toHaveProperty(
      "subject",
    );
    await service.get("/data-portal/share-zarr", json(ada, "DELETE", { url }));
    expect((await fetch(`${url}/.zmetadata`)).status).toBe(401);
    expect(await lines("share-made")).toMatchObject([
      { subject: ada.sub, dataset: id, seconds: 77 },
    ]);
    expect(await lines("share-ended")).toMatchObject([{ outcome: "done", dataset: id }]);
    await expect
      .poll(async () => (await lines("read")).filter(({ status }) => status === 401))
      .toHaveLength(1);
    expect(await text("audit")).not.toContain(ticket);
  });

  it("has user data by their number, no path, and attempts to read another's", async () => {
    expect((await add(service, ada, [entry(own)])).status).toBe(202);
    expect((await read(datasetId(own), bob)).status).toBe(403);
    await expect
      .poll(async () => (await lines("read")).find(({ status }) => status === 403))
      .toMatchObject({ outcome: "refused", subject: bob.sub, dataset: datasetId(own) });
    expect((await remove(service, ada, { file: own })).status).toBe(202);
    expect((await remove(service, ada, { nonsense: "x" })).status).toBe(422);
    expect(await lines("user-data-added")).toMatchObject([{ subject: ada.sub, added: 1 }]);
    expect(await lines("user-data-deleted")).toMatchObject([
      { outcome: "done", deleted: 1 },
      { outcome: "refused", status: 422, count: 1 },
    ]);
    expect(await text("audit")).not.toContain("own.nc");
  });

  it("has flavours, and administrators' refusals", async () => {
    const definition = { flavour_name: "my-lab", mapping: { model: "gcm" } };
    expect((await flavours(service, ada, "POST", definition)).status).toBe(201);
    await flavours(service, ada, "POST", { ...definition, is_global: true });
    await flavours(service, ada, "PUT", { mapping: { model: "machine" } }, "/my-lab");
    await flavours(service, ada, "DELETE", undefined, "/my-lab");
    const events = (await lines()).filter(({ event }) => event.startsWith("flavour-"));
    expect(events.map(({ event, outcome }) => `${event} ${outcome}`).sort()).toEqual([
      "flavour-changed done",
      "flavour-made done",
      "flavour-made refused",
      "flavour-removed done",
    ]);
    for (const line of events) expect(line).toMatchObject({ flavour: "my-lab", subject: ada.sub });
  });

  it("has sign-ins with a browser, their codes and tokens, and script tokens", async () => {
    const user = await addUser(service.dataDir);
    const { verifier, challenge } = pkce();
    const browser = new CookieBrowser(service);
    const to = await browser.signIn(asked(service, challenge), user.name);
    const code = to.searchParams.get("code") ?? "";
    const { access_token } = (await (await redeem(service, code, verifier)).json()) as Token;
    const page = { outcome: "done", subject: user.sub, name: user.name, client: PAGE_CLIENT };
    expect((await lines("sign-in")).at(-1)).toMatchObject({ ...page, status: 303 });
    expect((await lines("token-code")).at(-1)).toMatchObject({ ...page, status: 200 });
    const count = (await lines("sign-in")).length;
    const elsewhere = { ...asked(service, challenge), code_challenge_method: "plain" };
    expect((await browser.submit({ ...elsewhere, username: user.name })).status).toBe(303);
    expect(await lines("sign-in")).toHaveLength(count);

    const who = { ...ada, token: access_token };
    const job = { name: "a name of its own", ttl_seconds: 60 };
    const made = await service.get("/auth/v2/script-tokens", json(who, "POST", job));
    const { token, token_id: id } = (await made.json()) as MadeScriptToken;
    await service.get(`/auth/v2/script-tokens/${id}`, {
      method: "DELETE",
      ...bearer(access_token),
    });
    expect((await lines("script-token-made")).at(-1)).toMatchObject({ ...page, seconds: 60 });
    expect((await lines("script-token-ended")).at(-1)).toMatchObject({ ...page, status: 204 });
    const all = await text("audit");
    for (const secret of [code, verifier, access_token, token, job.name]) {
      expect(all).not.toContain(secret);
    }
  });

  it("is kept in private files of the day, an event a line with time, event and request", async () => {
    expect((await stat(join(folder, "audit"))).mode & 0o777).toBe(0o700);
    const [name = ""] = (await readdir(join(folder, "audit"))).filter((one) =>
      one.startsWith("audit-"),
    );
    expect(name).toMatch(/^audit-\d{4}-\d{2}-\d{2}\.jsonl$/);
    expect((await stat(join(folder, "audit", name))).mode & 0o777).toBe(0o600);
    const all = await lines();
    expect(all[0]).toMatchObject({ event: "recording", action: "began" });
    for (const line of all) {
      expect(Date.parse(String(line.time))).toBeGreaterThan(0);
      expect(Object.keys(EVENTS)).toContain(line.event);
      if (line.event !== "recording") expect(line.request).toMatch(/^[\w-]{13,24}$/);
    }
  });
});

describe("statistics", () => {
  const search = (path: string, who?: Person) =>
    service.get(`/databrowser/${path}`, who && bearer(who.token)).then((answer) => answer.text());

  const stac = (path: string, init?: RequestInit) =>
    service.get(`/stac/${path}`, init).then((answer) => answer.text());

  it("count searches, in any spelling, and empty results, without names and paths", async () => {
    const headers = { "If-None-Match": "" };
    await search("metadata-search/cmip6/file?source_id=MPI-ESM1-2-LR&variable_id=tas");
    const first = await service.get(
      "/databrowser/metadata-search/cmip6/file?source_id=MPI-ESM1-2-LR",
    );
    headers["If-None-Match"] = first.headers.get("ETag") ?? "";
    await first.text();
    const known = await service.get(
      "/databrowser/metadata-search/cmip6/file?source_id=MPI-ESM1-2-LR",
      { headers },
    );
    expect(known.status).toBe(304);
    await search("data-search/cmip6/file?source_id=no-such-model&time=2000%20to%202001");
    await search(`data-search/cmip6/file?file=${encodeURIComponent(own)}`);
    await search(`intake-catalogue/cmip6/file?source_id=none-either&experiment_id_not_=ssp*`);
    await search(`metadata-search/native/file?user=${ada.name}`);
    await search("data-search/user/file?project=adas-thesis");
    await flavours(service, ada, "POST", {
      flavour_name: "adas",
      mapping: { model: "adas_model" },
    });
    await search("data-search/adas/file?adas_model=MPI-ESM1-2-LR", ada);
    const filter = "cordex:model = 'own secret' and not domain like 'EUR%' and unheard = 'own.nc'";
    await stac(`search?${new URLSearchParams({ collections: "CORDEX", q: ada.name, filter })}`);
    await stac("aggregate?filter=variable_id='tos'");
    const body = JSON.stringify({ query: { "cmip6:source_id": { in: ["stac-model"] } } });
    await stac("search", { method: "POST", headers: { "Content-Type": "application/json" }, body });
    const counts = (await text("statistics"))
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const of = (wanted: object) =>
      counts.filter((line) => Object.entries(wanted).every(([key, value]) => line[key] === value));
    const sum = (wanted: object) => of(wanted).reduce((all, { count }) => all + count, 0);
    expect(sum({ kind: "search", flavour: "cmip6" })).toBe(6);
    expect(sum({ kind: "value", flavour: "cmip6", key: "model", value: "mpi-esm1-2-lr" })).toBe(3);
    expect(sum({ kind: "value", key: "experiment", value: "not ssp*" })).toBe(1);
    expect(sum({ kind: "nothing", flavour: "cmip6", search: "model=no-such-model time=*" })).toBe(
      1,
    );
    expect(sum({ kind: "nothing", search: "experiment=not ssp* model=none-either" })).toBe(1);
    expect(sum({ kind: "nothing", search: "file=*" })).toBe(1);
    const region = "filter=* model=own secret product=not eur* project=cordex q=*";
    expect(sum({ kind: "nothing", flavour: "cordex", search: region })).toBe(1);
    expect(sum({ kind: "value", flavour: "native", key: "variable", value: "tos" })).toBe(1);
    expect(sum({ kind: "nothing", flavour: "native", search: "model=stac-model" })).toBe(1);
    expect(sum({ kind: "value", flavour: "native", key: "user", value: "*" })).toBe(1);
    expect(sum({ kind: "value", flavour: "(own)", key: "model", value: "*" })).toBe(1);
    expect(sum({ kind: "read", dataset: datasetId(SAMPLE_FILE) })).toBeGreaterThan(100);
    expect(of({ kind: "read" })[0].bytes).toBeGreaterThan(1000);
    const all = await text("statistics");
    for (const personal of [ada.name, ada.sub, "adas", "own.nc", "127.0.0.1"]) {
      expect(all).not.toContain(personal);
    }
  });
});
