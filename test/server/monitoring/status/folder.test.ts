/** Processes that the service starts for the status page and for Solr, when none can be started. */
import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { runnable } from "../../../../src/platform/workers/start-worker.js";

describe("a process without free descriptors", () => {
  it("survives probing a folder and starting Solr, reports both, and probes again later", () => {
    const program = runnable(new URL("./no-descriptors.js", import.meta.url));
    const command = ["-c", 'ulimit -n 60; exec "$0" "$1"', process.execPath, program];
    expect(JSON.parse(execFileSync("/bin/sh", command, { encoding: "utf8" }))).toEqual({
      without: { kind: "broken", reason: expect.stringContaining("EMFILE") },
      ended: expect.stringMatching(/^Solr could not be started: .*EMFILE/),
      after: "there",
    });
  });
});
