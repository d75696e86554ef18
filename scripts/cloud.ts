/**
 * npm run cloud: runs a SolrCloud of three nodes with the sample catalogue, and two instances of the service behind one
 * address (PORT), until Ctrl-C.
 */
import { once } from "node:events";
import { PREFIX } from "../generated/prefix.js";
import { ensureSolrJars } from "../src/index/embedded/download.js";
import { startCloudService } from "../test/support/solr/cloud-service.js";

const port = Number(process.env.PORT || "7777");
const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => stopping.abort());
}
await ensureSolrJars((line) => console.log(line));
const service = await startCloudService({ port, report: (line) => console.log(line) });
const { address, cloud, instances, settings } = service;
const [node] = cloud.members;
const [instance] = instances;
const example = `${address}${PREFIX}/databrowser/data-search/cmip6/file?variable_id=tas`;
const shared = Object.entries(settings).map(([name, value]) => `${name}='${value}'`);
const processes = [
  ...instances.map((one) => ["instance", one.address, one.pid, one.dataDir]),
  ...cloud.members.map((one) => {
    return ["node of Solr", `http://127.0.0.1:${one.port}/solr`, one.pid(), one.folder];
  }),
  ["ZooKeeper", `127.0.0.1:${cloud.zooKeeper.port}`, cloud.zooKeeper.pid(), cloud.zooKeeper.folder],
];
console.log(`
${address}/docs goes to the instances in turn.

${processes.map(([what, where, pid, folder]) => `${`${what}`.padEnd(13)} ${`${where}`.padEnd(28)} process ${`${pid}`.padEnd(8)} ${folder}`).join("\n")}

Try
  curl '${example}'
  kill -9 ${node?.pid()}    # a node: each shard has a replica on another
  kill -9 ${instance?.pid}    # an instance: the other answers
  export ${shared.join(" ")}
  npx climate-nextgen users add jane --email jane@example.org    # known to both instances

Ctrl-C ends everything.`);
if (!stopping.signal.aborted) await once(stopping.signal, "abort");
console.log("Stopping");
await service.stop();
process.exit();
