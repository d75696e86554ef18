/** What stands in no line of the log, at any level, whatever happens; and by what lines of failures are found again. */
import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { PREFIX } from "../../../../generated/prefix.js";
import { failureOf } from "../../../../src/server/monitoring/logging/failure-fields.js";
import { testEndpoint } from "../../../support/service/service.js";
import {
  addUser,
  bearer,
  PASSWORD,
  post,
  refresh,
  signIn,
} from "../../../support/service/sign-in.js";
import { useService } from "../../../support/service/use-service.js";
import { useSevered } from "../../../support/solr/severed.js";

const SECRET = "winter-quarters";
const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
/** So many bytes that no buffers between Solr and client hold a whole list. */
const ENTRIES = 3000;

const wire = useSevered();
const service = useService(() => ({
  endpoint: { ...testEndpoint(), urls: [wire.url] },
  logLevel: "trace",
  timeoutMs: 5000,
  documents: Array.from({ length: ENTRIES }, (_, i) => ({
    file: `/many/${i}-${"a-long-name-".repeat(200)}.nc`,
    project: [SECRET],
  })),
}));

interface Line {
  readonly msg: string;
  readonly id?: string;
  readonly trace?: string;
}
const lines = (msg: string): Line[] =>
  service.log.map((line) => JSON.parse(line) as Line).filter((line) => line.msg === msg);

const named = (id: string) => ({
  "X-Request-Id": id,
  traceparent: `00-${TRACE}-00f067aa0ba902b7-01`,
});

describe("the log at level trace", () => {
  it("has no password, token, ticket, body or query of a whole journey", async () => {
    const { name } = await addUser(service.dataDir);
    const token = await signIn(service, name);
    const renewed = (await (await refresh(service, token.refresh_token)).json()) as typeof token;
    await post(service, { username: name, password: SECRET });
    await post(
      service,
      { username: name, password: PASSWORD },
      { Authorization: `Basic ${btoa(`${SECRET}:${SECRET}`)}` },
    );
    const headers = { ...bearer(renewed.access_token).headers, "Content-Type": "application/json" };
    const send = (method: string, path: string, body: string) =>
      service.get(path, { method, headers, body });
    await send(
      "POST",
      "/databrowser/userdata",
      JSON.stringify({
        user_metadata: [{ file: `/${SECRET}`, variable: "v", time: "fx", time_frequency: "fx" }],
        facets: { project: SECRET, model: "m", experiment: "e" },
      }),
    );
    await send("POST", "/databrowser/userdata", `{"user_metadata": ${SECRET}`);
    await send("DELETE", "/databrowser/userdata", JSON.stringify({ project: SECRET }));
    await send(
      "POST",
      "/databrowser/flavours",
      JSON.stringify({ flavour_name: SECRET, mapping: { model: SECRET } }),
    );
    await send("POST", "/data-portal/share-zarr", JSON.stringify({ path: `/${SECRET}` }));
    for (const path of [
      `/databrowser/metadata-search/native/file?project=${SECRET}`,
      `/databrowser/metadata-search/native/file?project=${SECRET}*&file=/[(${SECRET}`,
      `/databrowser/data-search/native/file?project=not%20${SECRET}x`,
      `/databrowser/data-search/${SECRET}/file?${SECRET}=1`,
      `/databrowser/load/native?project=${SECRET}`,
      `/data-portal/zarr-utils/html?url=${SECRET}`,
      `/data-portal/share/${renewed.access_token}/00000000-0000-0000-0000-000000000000.zarr/.zgroup`,
      `/${SECRET}?${SECRET}`,
    ]) {
      await (await service.get(path, { headers })).text();
    }
    await send("PUT", `/databrowser/flavours/${SECRET}`, '{"mapping": {}}');
    await service.get(`/databrowser/flavours/${SECRET}`, { method: "DELETE", headers });
    await post(service, { token: renewed.access_token }, {}, "revoke");
    await expect.poll(() => lines("request").length).toBeGreaterThan(15);
    const log = service.log.join("");
    for (const secret of [
      SECRET,
      PASSWORD,
      btoa(`${SECRET}:${SECRET}`),
      name,
      token.access_token,
      token.refresh_token,
      renewed.access_token,
      renewed.refresh_token,
    ]) {
      expect(log.includes(secret), secret.slice(0, 20)).toBe(false);
    }
  });

  it("has the request's id and trace if it failed, broke off, or was abandoned", async () => {
    const search = `/databrowser/metadata-search/native/file?project=${SECRET}-gone`;
    const list = `/databrowser/data-search/native/file?project=${SECRET}`;

    const leaving = request(`${service.address}${PREFIX}${list}`, { headers: named("left-1") });
    leaving.on("error", () => {}).once("response", () => leaving.destroy());
    leaving.end();
    await expect.poll(() => lines("request").some(({ id }) => id === "left-1")).toBe(true);

    const broken = await service.get(list, { headers: named("broken-1") });
    wire.cutAfter(200_000);
    await expect(broken.text()).rejects.toThrow();
    const failed = await service.get(search, { headers: named("failed-1") });
    expect([failed.status, failed.headers.get("X-Request-Id")]).toEqual([503, "failed-1"]);
    wire.mend();

    await expect
      .poll(() => lines("transfer broken off").at(-1))
      .toMatchObject({ id: "broken-1", trace: TRACE });
    expect(lines("request failed").at(-1)).toMatchObject({ id: "failed-1", trace: TRACE });
    // What is said of requests is said of one that can be found.
    for (const { id } of [
      ...lines("request failed"),
      ...lines("client left"),
      ...lines("request"),
    ]) {
      expect(id).toBeDefined();
    }
    expect(service.log.join("")).not.toContain(SECRET);
  });
});

describe("Solr's message about a query that it refuses", () => {
  it.each([
    `files/select?q=${encodeURIComponent(`project:(${SECRET}`)}`,
    `files/select?q=*:*&fq=${encodeURIComponent(`modified:"it's ${SECRET}"`)}`,
    `files/select?q=*:*&start=${SECRET}`,
  ])("is not repeated in the log: %s", async (path) => {
    const error = await service.solr.http.send({ path }).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(String(error)).toContain(SECRET);
    const line = JSON.stringify(failureOf(error));
    expect(line).not.toContain(SECRET);
    // It still tells what is wrong, and where.
    expect(line).toContain("HTTP 400: ");
    expect(line).toContain("transport/http");
  });

  it("keeps all other messages", () => {
    const line = failureOf(new TypeError("Cannot read properties of undefined (reading 'x')"));
    expect(line).toMatchObject({
      err: { type: "TypeError", message: expect.stringContaining("(reading 'x')") },
    });
    expect(JSON.stringify(line)).toContain("secrets.solr.test");
    let thrown: unknown;
    try {
      new URL(`no address of ${SECRET}`);
    } catch (error) {
      thrown = error;
    }
    expect(JSON.stringify(failureOf(thrown))).not.toContain(SECRET);
  });
});
