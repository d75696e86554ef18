/**
 * What one machine can show of several: a SolrCloud with the sample, and instances of the service, which are processes with
 * data folders of their own, behind one address.
 */
import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { packagePath } from "../../../src/platform/package-root.js";
import { run, Serving, type Settings } from "../../cli/command.js";
import { freePort } from "../network/free-port.js";
import { freshFolder } from "../run/folders.js";
import { startForwarder } from "../service/forwarder.js";
import { type SolrCloud, startSolrCloud } from "./solr-cloud.js";

export interface CloudService {
  /** Of all instances, without the prefix of the API. */
  readonly address: string;
  readonly cloud: SolrCloud;
  /** The settings that all instances and the commands share. */
  readonly settings: Settings;
  readonly instances: readonly Instance[];
  stop(): Promise<void>;
}

interface Instance {
  readonly address: string;
  readonly dataDir: string;
  readonly pid: number;
}

export interface CloudServiceOptions {
  /** Of the address before the instances; any free one where it is left out. */
  readonly port?: number;
  /** Gets one line a step. */
  readonly report: (line: string) => void;
}

/** Everything ends with this process, however that ends. */
export async function startCloudService({
  port: common,
  report,
}: CloudServiceOptions): Promise<CloudService> {
  const folder = freshFolder();
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const one of stops.splice(0).reverse()) await one();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const forwarder = await startForwarder(common);
    stops.push(forwarder.close);
    report("Starting ZooKeeper and 3 nodes of Solr");
    const cloud = await startSolrCloud({ nodes: 3 });
    stops.push(cloud.stop);
    const settings = {
      SOLR_URL: cloud.endpoint.urls.map(({ href }) => href).join(","),
      BASE_URL: forwarder.address,
      STATE_KEY: randomBytes(32).toString("base64url"),
    };
    const command = async (...args: string[]) => {
      report(`climate-nextgen ${args.join(" ")}`);
      const { status, stderr } = await run(args, { settings: { ...settings, DATA_DIR: folder } });
      if (status !== 0) throw new Error(stderr);
    };
    await command("solr", "setup", "--shards", "2", "--replicas", "2");
    await command("index", packagePath("data", "catalogue.jsonl"));
    const instances: Instance[] = [];
    const ports = [await freePort(), await freePort()];
    for (const port of ports) {
      const address = `http://127.0.0.1:${port}`;
      const dataDir = join(folder, `instance-${port}`);
      report(`Starting an instance at ${address}`);
      const serving = await Serving.start({
        ...settings,
        HOST: "127.0.0.1",
        PORT: String(port),
        DATA_DIR: dataDir,
        LOG_LEVEL: "warn",
        // Only tests pay for it.
        CHECK_REPLIES: "",
        // The service ends with this process, also if this process is killed.
        npm_lifecycle_event: "npx",
      });
      stops.push(() => serving.end("SIGKILL"));
      serving.child.stderr?.pipe(process.stderr);
      // The password of the first user is shown only once.
      for (const line of serving.output.split("\n")) {
        if (line.includes("username demo")) report(line.trim());
      }
      instances.push({ address, dataDir, pid: serving.pid });
    }
    forwarder.to(ports);
    return { address: forwarder.address, cloud, settings, instances, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
