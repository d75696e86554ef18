/** GET /metrics: what is counted, by what names, and for whom. */
import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { PREFIX } from "../../../../generated/prefix.js";
import { datasetId } from "../../../../src/files/zarr/address.js";
import { packagePath } from "../../../../src/platform/package-root.js";
import { isLocal } from "../../../../src/server/contract/caller.js";
import { leaveEarly, tell } from "../../../support/network/plain-http.js";
import { startService } from "../../../support/service/service.js";
import { bearer, post } from "../../../support/service/sign-in.js";
import { useService } from "../../../support/service/use-service.js";
import { person } from "../../../support/service/user-data.js";
import { type Exposition, readExposition } from "./exposition.js";

const FILE = packagePath(
  "data/files/observations/grid/MOHC/HadCRUT4/HadCRUT.4.6.0.0/mon/atmos/Amon/r1i1p1/v20200815/tas/tas_Amon_HadCRUT4_HadCRUT.4.6.0.0_r1i1p1_201001-201012.nc",
);

const service = useService({ documents: [{ file: FILE, variable: ["tas"], project: ["cmip6"] }] });

const answerOf = (headers: Record<string, string> = {}, path = "/metrics", at = service) =>
  new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }>(
    (resolve, reject) => {
      request(`${at.address}${path}`, { headers, agent: false }, (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (piece) => {
          text += piece;
        });
        answer.on("end", () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }),
        );
      })
        .on("error", reject)
        .end();
    },
  );

describe("the root of the host", () => {
  it("has ready, status and metrics, like those below the API", async () => {
    for (const path of ["/ready", "/status"]) {
      const [root, own] = [await answerOf({}, path), await answerOf({}, PREFIX + path)];
      expect([root.status, root.headers["content-type"]]).toEqual([
        200,
        own.headers["content-type"],
      ]);
      expect(Object.keys(JSON.parse(root.text))).toEqual(Object.keys(JSON.parse(own.text)));
    }
  });
});

const scrape = async (): Promise<Exposition> => readExposition((await answerOf()).text);

/** By how much each figure has grown. */
async function growth(work: () => Promise<unknown>): Promise<(series: string) => number> {
  const before = (await scrape()).values;
  await work();
  // An answer is counted when it has ended, which its reader may see a moment earlier.
  await new Promise((resolve) => setTimeout(resolve, 50));
  const after = (await scrape()).values;
  return (series) => (after.get(series) ?? 0) - (before.get(series) ?? 0);
}

const requests = (operation: string, status: number, method = "GET"): string =>
  `http_server_request_duration_seconds_count{method="${method}",operation="${operation}",status="${status}"}`;

describe("GET /metrics", () => {
  it("counts requests that the HTTP parser refuses, and the log has them", async () => {
    const problem = 'climate_problems_total{kind="malformed-request"}';
    const grown = await growth(async () => {
      const bytes = await tell(service.address, "NOT HTTP\r\n\r\n");
      expect(bytes.toString()).toMatch(/^HTTP\/1\.1 400 /);
    });
    expect(grown(problem)).toBe(1);
    const lines = service.log.filter((line) => line.includes("no valid request"));
    expect(JSON.parse(lines[0] ?? "{}")).toMatchObject({ problem: "malformed-request" });
  });

  it("is text of Prometheus' format, with all documented series", async () => {
    const { status, headers, text } = await answerOf();
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(headers["cache-control"]).toBe("no-store");
    const { types, values } = readExposition(text);
    expect(Object.fromEntries(types)).toMatchObject({
      http_server_request_duration_seconds: "histogram",
      http_server_active_requests: "gauge",
      climate_sent_bytes_total: "counter",
      climate_broken_answers_total: "counter",
      climate_problems_total: "counter",
      climate_token_failures_total: "counter",
      climate_slowed_answers_total: "counter",
      climate_solr_request_duration_seconds: "histogram",
      climate_solr_errors_total: "counter",
      climate_cache_requests_total: "counter",
      climate_turns_taken: "gauge",
      climate_turns_waiting: "gauge",
      climate_turns_refused_total: "counter",
      climate_reading_waiting: "gauge",
      climate_reading_processes: "gauge",
      climate_reading_processes_lost_total: "counter",
      climate_reading_orders_total: "counter",
      climate_reading_seconds_total: "counter",
      climate_event_loop_delay_seconds: "gauge",
      climate_memory_bytes: "gauge",
      climate_connections: "gauge",
      climate_build_info: "gauge",
      process_cpu_seconds_total: "counter",
      process_start_time_seconds: "gauge",
      process_open_fds: "gauge",
    });
    expect(values.get("http_server_active_requests")).toBe(1);
    expect(values.get("climate_connections")).toBeGreaterThanOrEqual(1);
    expect(values.get('climate_memory_bytes{part="resident"}')).toBeGreaterThan(20_000_000);
    expect(values.get("process_cpu_seconds_total")).toBeGreaterThan(0.1);
    const build = [...values.keys()].find((series) => series.startsWith("climate_build_info"));
    expect(build).toContain(`node="${process.version}"`);
  });

  it("counts requests by operation, method and status, and their durations", async () => {
    const grown = await growth(async () => {
      await (await service.get("/ping")).text();
      await service.get("/ping", { method: "HEAD" });
      await (await service.get("/nothing/here?secret=1")).text();
      const wrong = await service.get("/databrowser/metadata-search/cmip6/file?modle=x");
      expect(wrong.status).toBe(422);
    });
    expect(grown(requests("ping", 200))).toBe(1);
    expect(grown(requests("ping", 200, "HEAD"))).toBe(1);
    expect(grown(requests("none", 404))).toBe(1);
    expect(grown(requests("searchMetadata", 422))).toBe(1);
    expect(grown('climate_problems_total{kind="invalid-parameters"}')).toBe(1);
    const sum = requests("ping", 200).replace("_count", "_sum");
    expect(grown(sum)).toBeGreaterThan(0);
    expect(grown(sum)).toBeLessThan(5);
  });

  it("counts sent answers by kind, Solr's requests by purpose, and memory savings", async () => {
    const { token } = await person(service);
    const store = `/data-portal/zarr/${datasetId(FILE)}.zarr`;
    const read = async (key: string): Promise<Buffer> => {
      const answer = await service.get(`${store}/${key}`, bearer(token));
      if (answer.status !== 200) throw new Error(`${key}: ${answer.status}`);
      return Buffer.from(await answer.arrayBuffer());
    };
    let sent = { chunks: 0, list: 0 };
    const grown = await growth(async () => {
      const list = await service.get("/databrowser/data-search/native/file");
      const text = await list.text();
      expect(text).toContain(FILE);
      await (await service.get("/databrowser/metadata-search/native/file")).text();
      await (await service.get("/databrowser/intake-catalogue/native/file")).text();
      await read(".zmetadata");
      sent = { chunks: (await read("tas/0.0.0")).length, list: text.length };
    });
    const kinds = (kind: string): number => grown(`climate_sent_bytes_total{kind="${kind}"}`);
    expect(kinds("lists")).toBeGreaterThanOrEqual(sent.list);
    expect(kinds("lists")).toBeLessThan(sent.list + 2000);
    expect(kinds("chunks passed") + kinds("chunks decoded")).toBeGreaterThanOrEqual(sent.chunks);
    expect(kinds("catalogues")).toBeGreaterThan(500);
    expect(kinds("documents")).toBeGreaterThan(100);
    const solr = (what: string): number =>
      grown(`climate_solr_request_duration_seconds_count{what="${what}"}`);
    expect(solr("list")).toBeGreaterThanOrEqual(1);
    expect(solr("search")).toBeGreaterThanOrEqual(1);
    expect(grown('climate_cache_requests_total{cache="files",result="miss"}')).toBe(1);
    expect(grown('climate_reading_orders_total{kind="index"}')).toBe(1);
    expect(grown('climate_reading_seconds_total{kind="index"}')).toBeGreaterThan(0);
    // In the seconds after a change nothing that was counted is believed.
    const hits = async (): Promise<number> => {
      await (await service.get("/databrowser/metadata-search/native/file")).text();
      const { values } = await scrape();
      return values.get('climate_cache_requests_total{cache="facet-counts",result="hit"}') ?? 0;
    };
    const before = await hits();
    await expect.poll(hits).toBeGreaterThan(before);
  });

  it("counts refused tokens by cause", async () => {
    const { name, token } = await person(service);
    const grown = await growth(async () => {
      await service.get("/auth/v2/status");
      await service.get("/auth/v2/status", bearer(`${token.slice(0, -3)}AAA`));
      await service.get("/auth/v2/status", bearer("no token at all"));
      await post(service, { username: name, password: "wrong" });
      const ticket =
        "/data-portal/share/abc.def.ghi/00000000-0000-0000-0000-000000000000.zarr/.zgroup";
      await service.get(ticket);
      expect((await post(service, { token }, {}, "revoke")).status).toBe(200);
      await service.get("/auth/v2/status", bearer(token));
    });
    const failures = (cause: string): number =>
      grown(`climate_token_failures_total{cause="${cause}"}`);
    expect(["missing", "invalid", "sign-in", "share", "revoked"].map(failures)).toEqual([
      1, 2, 1, 1, 1,
    ]);
  });

  it("counts answers that a limit slowed down", async () => {
    const limited = await startService({ limits: { requests: 1 } });
    try {
      const asked = Array.from({ length: 7 }, () => limited.get("/databrowser/overview"));
      await Promise.all((await Promise.all(asked)).map((answer) => answer.text()));
      const { values } = readExposition((await answerOf({}, "/metrics", limited)).text);
      const slowed = values.get('climate_slowed_answers_total{limit="requests"}');
      expect(slowed).toBeGreaterThanOrEqual(1);
      expect(slowed).toBeLessThanOrEqual(2);
      expect(values.get('climate_slowed_answers_total{limit="bytes"}')).toBe(0);
    } finally {
      await limited.close();
    }
  });

  it("counts answers that a client did not wait for as broken by the client", async () => {
    const grown = await growth(() =>
      leaveEarly(service.address, "/docs/swagger-ui-bundle.js", "gone"),
    );
    expect(grown('climate_broken_answers_total{by="client"}')).toBeGreaterThan(0);
    expect(grown('climate_broken_answers_total{by="service"}')).toBe(0);
  });
});

describe("the metrics", () => {
  it.each([
    ["a proxy by RFC 7239", { Forwarded: "for=192.0.2.60" }],
    ["a proxy that is usual", { "X-Forwarded-For": "192.0.2.60" }],
    ["one that says only how it was asked", { "X-Forwarded-Proto": "https" }],
    ["one by RFC 9110", { Via: "1.1 cache" }],
    ["nginx with an address alone", { "X-Real-IP": "192.0.2.60" }],
    ["a proxy that hands on the host", { Host: "data.example.org" }],
    ["a page of another name for this machine", { Host: "rebind.example:80" }],
    ["a page in a browser", { Origin: "https://elsewhere.example" }],
    ["a picture in a page", { "Sec-Fetch-Site": "cross-site" }],
  ])("are hidden from %s", async (_, headers) => {
    const { status, headers: sent, text } = await answerOf(headers as Record<string, string>);
    expect([status, sent["content-type"]]).toEqual([404, "application/problem+json"]);
    expect(JSON.parse(text)).toMatchObject({ detail: "There is nothing at /metrics." });
    expect(text).not.toContain("climate_");
  });

  it("are for this machine's addresses alone", () => {
    const from = (remoteAddress: string | undefined, host = "localhost:7777") =>
      isLocal({ headers: { host }, socket: { remoteAddress } } as never);
    for (const own of ["127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1"]) {
      expect(from(own), own).toBe(true);
    }
    for (const other of [
      "10.0.0.1",
      "128.0.0.1",
      "::2",
      "::ffff:10.0.0.1",
      "1270.0.0.1",
      undefined,
    ]) {
      expect(from(other), other).toBe(false);
    }
    for (const host of ["localhost.evil.example", "127.evil.example", "", "127.0.0.1.nip.io"]) {
      expect(from("127.0.0.1", host), host).toBe(false);
    }
  });

  it("are not on the service's port if they have one of their own", async () => {
    const other = await startService({ metricsElsewhere: true });
    try {
      expect((await answerOf({}, "/metrics", other)).status).toBe(404);
      expect((await other.get("/ping")).status).toBe(200);
    } finally {
      await other.close();
    }
  });

  it("are not below the API's own address", async () => {
    expect((await answerOf({}, `${PREFIX}/metrics`)).status).toBe(404);
  });
});
