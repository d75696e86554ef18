/** The port of the embedded Solr, which is chosen before Java listens. */
import { rm } from "node:fs/promises";
import { createServer, Server } from "node:net";
import { expect, it } from "vitest";
import { startEmbeddedSolr } from "../../../src/index/embedded/embedded.js";
import { freshFolder } from "../../support/run/folders.js";

it("starts Solr on another port if a program takes the free one before Java does, which gets nothing", async () => {
  const { close } = Server.prototype;
  let other: Server | undefined;
  let taken = 0;
  const received: string[] = [];
  // The first port that is found free and closed again is taken at once.
  Server.prototype.close = function (done) {
    const address = this.address();
    return close.call(this, (error) => {
      if (other !== undefined || typeof address !== "object" || !address) return done?.(error);
      taken = address.port;
      other = createServer((socket) => {
        socket.on("error", () => {}).on("data", (bytes) => received.push(String(bytes)));
      }).listen(taken, "127.0.0.1", () => done?.(error));
    });
  };
  const dataDir = freshFolder();
  try {
    const solr = await startEmbeddedSolr({ dataDir, heap: "256m", cores: [], report: () => {} });
    Server.prototype.close = close;
    expect(taken).toBeGreaterThan(0);
    expect(received).toEqual([]);
    expect(Number(solr.endpoint.urls[0].port)).not.toBe(taken);
    await solr.stop();
  } finally {
    Server.prototype.close = close;
    other?.close();
    await rm(dataDir, { recursive: true, force: true });
  }
});
