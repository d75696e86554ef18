/**
 * A list that is read slowly from a SolrCloud, while one node after the other is killed and comes back: it goes on at the nodes
 * that are left, also where the one it needs has come back only a while ago.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, it } from "vitest";
import type { SolrTopology } from "../../../src/index/collections/shards.js";
import { attempts } from "../../support/run/trials.js";
import { useService } from "../../support/service/use-service.js";
import { layOut, useCloud } from "../../support/solr/use-cloud.js";

const COUNT = 40_000;
/** Milliseconds from a node's return to the next kill. */
const PAUSES: readonly number[] = attempts<readonly number[]>(
  [20_000],
  [0, 1000, 5000, 20_000, 60_000],
);
/** Paths are long, so that neither sockets nor buffers hold much of the list. */
const PADDING = "a".repeat(600);
const pathOf = (i: number): string => `/pool/${PADDING}/${String(i).padStart(6, "0")}.nc`;

const cloud = useCloud({ nodes: 3 });
let topology: SolrTopology;
beforeAll(async () => {
  topology = await layOut(cloud, { shards: 2, replicas: 2 });
});
const service = useService(() => ({
  endpoint: cloud.endpoint,
  topology,
  documents: Array.from({ length: COUNT }, (_, i) => ({ file: pathOf(i) })),
}));

it.each(PAUSES)(
  "a long list is complete if a node is killed %i ms after another came back",
  async (pause) => {
    const { body } = await service.get("/databrowser/data-search/native/file");
    if (body === null) throw new Error("a list has a body");
    const reader = body.getReader();
    const pieces: Uint8Array[] = [];
    let size = 0;
    /** Reads until a part of the list has come; all of it at 1. */
    const readUntil = async (part: number): Promise<void> => {
      while (part === 1 || size < part * COUNT * pathOf(0).length) {
        const { done, value } = await reader.read();
        if (done) return;
        pieces.push(value);
        size += value.length;
      }
    };
    for (const node of [0, 1, 2]) {
      await readUntil((node + 1) / 5);
      await cloud.kill(node);
      await readUntil((node + 1.5) / 5);
      await cloud.start(node);
      await cloud.whole(120_000);
      await sleep(pause);
    }
    await readUntil(1);
    const lines = Buffer.concat(pieces).toString("utf8").split("\n").slice(0, -1);
    expect(lines.length).toBe(COUNT);
    expect(lines.every((line, i) => line === pathOf(COUNT - 1 - i))).toBe(true);
  },
);
