/** A service as a user starts it, with the Solr of the run or one of its own. Tests kill parts of it. */

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { SINGLE } from "../../../src/index/collections/shards.js";
import { findRunningSolr, readRunning } from "../../../src/index/embedded/running.js";
import { Solr } from "../../../src/index/solr.js";
import type { StateStore } from "../../../src/index/state/state-store.js";
import { endsWithin, signalProcess } from "../../../src/platform/processes/process-identity.js";
import { Serving, type Settings } from "../../cli/command.js";
import { freshFolder } from "../run/folders.js";
import { between } from "../solr/wire.js";
import { postToSolr, testClient } from "./service.js";

/** What is killed: the service, or its Solr alone. */
export type Victim = "service" | "Solr";

/** Milliseconds after which killed parts are back, also on a busy machine. */
const PATIENCE = 120_000;
/** Milliseconds of delay to an outside Solr, so that kills hit every step of a request. */
const DISTANCE = 20;

type Wire = Awaited<ReturnType<typeof between>>;

export class Scene {
  private constructor(
    readonly dataDir: string,
    private readonly settings: Settings,
    private serving: Serving,
    /** The tests' own way to Solr. */
    public solr: Solr,
    private readonly wire: Wire | undefined,
  ) {}

  static async start(whose: "shared" | "own"): Promise<Scene> {
    const dataDir = freshFolder();
    const wire = whose === "shared" ? await distant() : undefined;
    // The sample is of no use here.
    await writeFile(join(dataDir, "sample-loaded"), "");
    const settings = {
      DATA_DIR: dataDir,
      // The issuer's name, which tokens are bound to: they outlive a service on another port.
      BASE_URL: "https://data.example.org",
      LOG_LEVEL: "error",
      ...(wire && { SOLR_URL: wire.url.href }),
    };
    return new Scene(
      dataDir,
      settings,
      await Serving.start(settings),
      await connect(settings),
      wire,
    );
  }

  /** The state store; undefined if the service has a Solr of its own. */
  get state(): StateStore | undefined {
    return this.wire && this.solr.state;
  }

  get address(): string {
    return this.serving.address;
  }

  get(path: string, init?: RequestInit): Promise<Response> {
    return this.serving.get(path, init);
  }

  async kill(victim: Victim): Promise<void> {
    if (victim === "service") {
      await this.serving.end("SIGKILL");
      return;
    }
    const java = await readRunning(join(this.dataDir, "solr"));
    if (java === undefined) throw new Error("no Solr runs");
    signalProcess(java.pid, "SIGKILL");
    expect(await endsWithin(java, 10_000)).toBe(true);
  }

  /**
   * Waits until the killed part is back. The service is started again; it restarts its Solr itself.
   *
   * @param search path that is requested meanwhile, below the prefix; every answer is 503 with Retry-After, or 200
   * @returns the first 200
   */
  async revive(victim: Victim, search: string): Promise<string> {
    if (victim === "service") {
      this.serving = await Serving.start(this.settings);
      this.solr = await connect(this.settings);
    }
    for (const end = Date.now() + PATIENCE; Date.now() < end; await sleep(10)) {
      const response = await this.get(search);
      const text = await response.text();
      if (response.status === 200) return text;
      expect(response.status, text).toBe(503);
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    throw new Error("what was killed does not come back");
  }

  /** Waits until the index has a file, or has it no longer; uncommitted changes count. */
  async until(file: string, there: boolean): Promise<void> {
    const path = `files/get?${new URLSearchParams({ id: file, fl: "file" })}`;
    for (;;) {
      const { text } = await this.solr.http.send({ path });
      if (text.includes('"doc":null') !== there) return;
      await sleep(1);
    }
  }

  /** Sends commands and commits them, so that no update log is replayed. */
  async update(body: string): Promise<void> {
    await postToSolr(this.solr, body);
  }

  async close(): Promise<void> {
    await this.serving.end("SIGTERM");
    this.wire?.close();
    this.wire?.server.close();
  }
}

/** An address of the run's Solr whose answers are delayed, as over a network. */
const distant = (): Promise<Wire> =>
  between(async function* (body) {
    await sleep(DISTANCE);
    yield* body;
  });

async function connect({ SOLR_URL, DATA_DIR = "" }: Settings): Promise<Solr> {
  if (SOLR_URL !== undefined) return testClient();
  const endpoint = await findRunningSolr(DATA_DIR);
  if (endpoint === undefined) throw new Error("no Solr runs");
  return new Solr(endpoint, 20_000, SINGLE);
}
