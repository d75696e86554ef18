/** deploy/monitoring against what the service really measures. */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { packagePath } from "../../src/platform/package-root.js";
import { readExposition } from "../server/monitoring/metrics/exposition.js";
import { useService } from "../support/service/use-service.js";

const FOLDER = packagePath("deploy", "monitoring");
const read = (name: string): string => readFileSync(`${FOLDER}/${name}`, "utf8");

let text: string;
const service = useService();
beforeAll(async () => {
  await (await service.get("/databrowser/data-search/native/file")).text();
  await service.get("/nothing/here");
  text = await (await fetch(`${service.address}/metrics`)).text();
});

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: Readonly<Record<string, string>>;
}
const alerts = (parse(read("alerts.yaml")) as { groups: { rules: Alert[] }[] }).groups.flatMap(
  ({ rules }) => rules,
);

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly datasource?: { readonly uid: string };
  readonly gridPos: {
    readonly x: number;
    readonly y: number;
    readonly w: number;
    readonly h: number;
  };
  readonly targets?: readonly {
    readonly expr: string;
    readonly datasource: { readonly uid: string };
  }[];
}
const dashboard = JSON.parse(read("dashboard.json")) as {
  readonly schemaVersion: number;
  readonly panels: readonly Panel[];
  readonly templating: {
    readonly list: readonly {
      readonly name: string;
      readonly type: string;
      readonly definition?: string;
    }[];
  };
};
const expressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

/** Of the process that has the port, where there are several: test/server/monitoring/metrics/processes.slow.test.ts. */
const OF_WORKERS = ["climate_workers", "climate_workers_ended_total"];

/** Metrics that an expression names, by what stands before their series' own endings. */
const named = (expr: string): string[] =>
  [...expr.matchAll(/\b(?:climate|http|process)_[a-z_]+\b/g)]
    .map(([name]) => name)
    .map((name) => name.replace(/_(?:bucket|sum|count)$/, ""));

describe("alerts", () => {
  it("are nine, each with a description and a section of the run book", () => {
    expect(alerts.map(({ alert }) => alert).sort()).toEqual([
      "ClimateBrokenStreams",
      "ClimateBusy",
      "ClimateDown",
      "ClimateEventLoopDelayed",
      "ClimateReadersRestarting",
      "ClimateShardWithoutLeader",
      "ClimateSlow",
      "ClimateSolrErrors",
      "ClimateTokenFailures",
    ]);
    const book = readFileSync(packagePath("docs", "operations.md"), "utf8");
    for (const { alert, annotations } of alerts) {
      expect(book).toMatch(new RegExp(`^### ${alert}$`, "m"));
      expect(Object.keys(annotations).sort()).toEqual(["description", "runbook_url", "summary"]);
      expect(annotations.runbook_url).toBe(`docs/operations.md#${alert.toLowerCase()}`);
    }
  });

  it("use existing series, with labels that they have", () => {
    const { values } = readExposition(text);
    const types = [...readExposition(text).types.keys()];
    for (const { expr } of alerts.filter(({ alert }) => alert !== "ClimateDown")) {
      expect(named(expr).length).toBeGreaterThan(0);
      for (const name of named(expr)) expect(types).toContain(name);
      for (const [, label = "", value = ""] of expr.matchAll(/(\w+)="([^"]*)"/g)) {
        const has = [...values.keys()].some((series) => series.includes(`${label}="${value}"`));
        expect(has, `${label}="${value}"`).toBe(true);
      }
    }
    // What is alerted of is there before it happens first.
    for (const series of [
      'climate_broken_answers_total{by="service"}',
      'climate_solr_errors_total{cause="unavailable",what="search"}',
      'climate_token_failures_total{cause="sign-in"}',
      'climate_problems_total{kind="service-busy"}',
      'climate_problems_total{kind="data-unavailable"}',
      'climate_problems_total{kind="too-many-requests"}',
      "climate_reading_processes_lost_total",
    ]) {
      expect(values.get(series), series).toBe(0);
    }
  });
});

describe("the dashboard", () => {
  it("has a current form, takes its source as a variable, and overlaps no panels", () => {
    expect(dashboard.schemaVersion).toBeGreaterThanOrEqual(39);
    expect(dashboard.templating.list.find(({ name }) => name === "datasource")?.type).toBe(
      "datasource",
    );
    const shown = dashboard.panels.filter(({ targets }) => targets !== undefined);
    expect(shown.length).toBeGreaterThan(15);
    for (const { title, datasource, targets = [] } of shown) {
      for (const { uid } of [datasource, ...targets.map((one) => one.datasource)].flatMap(
        (one) => one ?? [],
      )) {
        expect(uid, title).toBe("${datasource}");
      }
    }
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    for (const { gridPos } of dashboard.panels)
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
  });

  it("shows existing series, and all of them", () => {
    const types = [...readExposition(text).types.keys()];
    const shown = new Set(expressions.flatMap(named));
    for (const name of shown) expect([...types, ...OF_WORKERS]).toContain(name);
    for (const name of types) {
      if (name !== "process_start_time_seconds") expect([...shown], name).toContain(name);
    }
  });
});
