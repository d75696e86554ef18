/** Replicas compare their newest changes after a failure, and Solr takes a list of less than 100 for all there ever were. */
import { expect, it } from "vitest";
import { SolrCollection } from "../../../src/index/transport/client.js";
import { isOnTheCloud } from "../../support/run/left-out.js";
import { testClient } from "../../support/service/service.js";

const CHANGES = 30;

const documentOf = (name: string, at: number): object =>
  name === "files"
    ? { file: `/log/${at}.nc`, project: ["log"] }
    : { id: `log:${at}`, kind: "log", data: "{}", expires_at: "2100-01-01T00:00:00Z" };

it.skipIf(isOnTheCloud).each(["files", "state"])(
  "Solr keeps the newest changes of the collection %s, however many commits they took",
  async (name) => {
    const { http } = testClient();
    const solr = new SolrCollection(http, name);
    for (let at = 0; at < CHANGES; at++) {
      await solr.update(JSON.stringify([documentOf(name, at)]));
      await solr.writeToDisk();
    }
    const { text } = await http.send({ path: `${name}/get?getVersions=100&wt=json` });
    const { versions } = JSON.parse(text) as { versions: unknown[] };
    expect(versions.length).toBeGreaterThanOrEqual(CHANGES);
  },
);
