/** deploy/monitoring and the metrics of the service by Prometheus' own tool. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { packagePath } from "../../src/platform/package-root.js";
import { findProgram, PROMTOOL } from "../support/programs/debian.js";
import { freshFolder } from "../support/run/folders.js";
import { startService } from "../support/service/service.js";

const FOLDER = packagePath("deploy", "monitoring");
const read = (name: string): string => readFileSync(join(FOLDER, name), "utf8");

const promtool = findProgram(PROMTOOL);
const run = (args: readonly string[], input?: string) => {
  const env = promtool?.env;
  const { status, stdout, stderr } = spawnSync(promtool?.path ?? "", args, {
    cwd: FOLDER,
    encoding: "utf8",
    input,
    env,
  });
  return { status, said: stdout + stderr };
};

describe.skipIf(promtool === undefined)("promtool", () => {
  it("accepts the alerts, which fire when they should", () => {
    for (const args of [
      ["check", "rules", "alerts.yaml"],
      ["check", "config", "prometheus.yaml"],
      ["test", "rules", "alerts.test.yaml"],
    ]) {
      const { status, said } = run(args);
      expect(status, said).toBe(0);
    }
    const { groups } = parse(read("alerts.yaml")) as { groups: { rules: { alert: string }[] }[] };
    for (const { alert } of groups.flatMap(({ rules }) => rules)) {
      expect(read("alerts.test.yaml")).toMatch(
        new RegExp(`alertname: ${alert}\\n +exp_alerts:\\n`),
      );
    }
  });

  it("accepts the expressions of the dashboard", () => {
    const { panels } = JSON.parse(read("dashboard.json")) as {
      panels: { targets?: { expr: string }[] }[];
    };
    const rules = panels
      .flatMap(({ targets = [] }) => targets)
      .map(({ expr }, index) => ({
        record: `shown:${index}`,
        expr: expr.replaceAll("$__rate_interval", "1m"),
      }));
    const folder = freshFolder();
    const path = join(folder, "rules.yaml");
    writeFileSync(path, JSON.stringify({ groups: [{ name: "dashboard", rules }] }));
    const { status, said } = run(["check", "rules", path]);
    expect(status, said).toBe(0);
  });

  it("reads the metrics, and finds them named as Prometheus wants", async () => {
    const service = await startService();
    try {
      await (await service.get("/databrowser/data-search/native/file")).text();
      await service.get("/nothing/here");
      const text = await (await fetch(`${service.address}/metrics`)).text();
      const { status, said } = run(["check", "metrics"], text);
      expect([status, said]).toEqual([0, ""]);
    } finally {
      await service.close();
    }
  });
});
