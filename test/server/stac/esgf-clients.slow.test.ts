/** ESGF's clients, as they are published, through TLS on the loopback: they find what data-search finds. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PREFIX } from "../../../generated/prefix.js";
import { versioned } from "../../../src/domain/vocabulary/versioned.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { startTlsRelay, type TlsRelay } from "../../support/network/tls-relay.js";
import { pythonOf, runWithInput } from "../../support/programs/python.js";
import { freshFolder } from "../../support/run/folders.js";
import { chance, SEED } from "../../support/run/trials.js";
import { loadSample } from "../../support/service/sample.js";
import { emptyIndex, load, startService, type TestService } from "../../support/service/service.js";

let service: TestService;
let relay: TlsRelay;
const home = freshFolder();
beforeAll(async () => {
  relay = await startTlsRelay(() => service.address);
  service = await startService({ baseUrl: relay.address, trustProxy: 1 });
  await emptyIndex(service.solr);
  await loadSample(service.solr);
  const { refused } = await load(service.solr, copied());
  expect(refused).toBe(0);
});
afterAll(async () => {
  await service.close();
  await relay.close();
});

/** A dataset with a file that has a copy on tape, one without a checksum, and one of an unknown format. */
function copied() {
  const common = {
    project: ["CMIP6"],
    product: ["CMIP"],
    institute: ["TLS"],
    model: ["COPIED"],
    experiment: ["historical"],
    ensemble: ["r1i1p1f1"],
    cmor_table: ["Amon"],
    variable: ["tas"],
    grid_label: ["gn"],
    version: "v20200101",
    time_frequency: ["mon"],
  };
  const whole = { size: 5, checksum: `sha256:${"ab".repeat(32)}`, format: "nc" };
  const name = "tas_Amon_COPIED_historical_r1i1p1f1_gn_185001-185912.nc";
  const other = name.replace("185001-185912", "186001-186912");
  return [
    { ...common, ...whole, fs_type: "posix", file: `/tls/${name}` },
    { ...common, ...whole, fs_type: "hsm", file: `/tape/${name}`, uri: `slk:///tape/${name}` },
    { ...common, format: "nc", size: 5, fs_type: "posix", file: `/tls/${other}` },
    { ...common, format: "odd", fs_type: "posix", file: "/tls/notes.odd" },
  ];
}

type Search = Readonly<Record<string, readonly string[]>>;

const VALUES: Search = {
  variable_id: ["tas", "pr", "tasmax", "ua", "tos"],
  source_id: ["MPI-ESM1-2-LR", "CanESM5", "COPIED", "CESM2"],
  experiment_id: ["historical", "ssp585", "ssp126"],
  table_id: ["Amon", "day", "Omon"],
  member_id: ["r1i1p1f1", "r2i1p1f1"],
};

function searches(count: number): Search[] {
  const random = chance(SEED);
  const pick = (all: readonly string[]): string => all[Math.floor(random() * all.length)] as string;
  return Array.from({ length: count }, () => {
    const names = Object.keys(VALUES).filter(() => random() < 0.4);
    const chosen = names.length === 0 ? ["variable_id"] : names;
    return Object.fromEntries(
      chosen.map((name) => {
        const values = VALUES[name] ?? [];
        return [name, [...new Set([pick(values), pick(values)])]];
      }),
    );
  });
}

/** The ids of the datasets whose files data-search finds. */
async function expected(search: Search): Promise<string[]> {
  const given = Object.entries(search).flatMap(([name, values]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const more = {
    mip_era: "cmip6",
    fields: "dataset_id,version",
    format: "csv",
    retracted_not_: "true",
  };
  const query = new URLSearchParams([...given, ...Object.entries(more)]);
  const path = `/databrowser/extended-search/cmip6/file?${query}`;
  const response = await service.get(path);
  const text = await response.text();
  expect(response.status, text).toBe(200);
  const lines = text
    .split("\r\n")
    .slice(1)
    .filter((line) => line !== "");
  const ids = lines.map((line) => {
    const [name = "", version = ""] = line.split(",");
    return versioned(name, version) ?? name;
  });
  return [...new Set(ids)].sort();
}

interface Found {
  readonly ids: readonly string[];
  readonly files: readonly {
    readonly url: string;
    readonly size?: number;
    readonly checksum?: string;
  }[];
  readonly hits?: number;
  readonly models?: Readonly<Record<string, number>>;
}

async function ask(client: "intake" | "esgpull", all: readonly Search[]): Promise<Found[]> {
  const script = packagePath("test", "python", "stac_esgf.py");
  const address = `${relay.address}${PREFIX}/stac`;
  const trusted = { SSL_CERT_FILE: relay.authority, REQUESTS_CA_BUNDLE: relay.authority };
  const env = { PATH: process.env.PATH, HOME: home, ...trusted };
  const text = await runWithInput(
    [script, client, address],
    JSON.stringify(all),
    pythonOf("esgf"),
    env,
  );
  const lines = text.split("\n").filter((line) => line.startsWith("FOUND "));
  return lines.map((line) => JSON.parse(line.slice(6)) as Found);
}

const COPIED: Search = { source_id: ["COPIED"], variable_id: ["tas"] };

describe.each(["intake", "esgpull"] as const)("%s", (client) => {
  it("finds by 50 searches the datasets whose files data-search finds, with their files", async () => {
    const all = [COPIED, ...searches(49)];
    const answers = await ask(client, all);
    expect(answers).toHaveLength(all.length);
    let fruitful = 0;
    for (const [index, { ids, files, hits, models }] of answers.entries()) {
      const search = all[index] ?? {};
      const wanted = await expected(search);
      const what = JSON.stringify(search);
      expect([...ids].sort(), what).toEqual(wanted);
      // intake-esgf lists locations on tape as well, which have no address of the web.
      const web = files.filter(({ url }) => client === "esgpull" || url.startsWith("http"));
      for (const { url } of web) expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/.*\.nc$/);
      if (client === "esgpull") {
        expect(hits, what).toBe(wanted.length);
        const counted = Object.values(models ?? {}).reduce((sum, count) => sum + count, 0);
        expect(counted, what).toBe(wanted.length);
      }
      if (wanted.length > 0) fruitful += 1;
    }
    expect(fruitful).toBeGreaterThan(15);
    // The file with a copy on tape comes from the web; esgpull reads only files with size and checksum.
    const [{ files } = { files: [] }] = answers;
    expect(files).toHaveLength(client === "esgpull" ? 1 : 2);
    if (client === "esgpull") {
      expect(files[0]).toMatchObject({ size: 5, checksum: `1220${"ab".repeat(32)}` });
    }
  }, 300_000);
});
