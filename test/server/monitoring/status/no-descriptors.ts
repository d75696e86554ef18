/** Probes a folder and starts Solr while no descriptor is free, and probes again afterwards. Prints the outcomes as JSON. */
import { closeSync, openSync } from "node:fs";
import { launchSolr } from "../../../../src/index/embedded/solr-process.js";
import { folderProbe } from "../../../../src/server/monitoring/status/folder.js";

// A probe alone does not keep a process from ending.
const running = setInterval(() => {}, 1000);
const look = folderProbe("/");
const inspect = () => look(new AbortController().signal);
const opened: number[] = [];
try {
  for (;;) opened.push(openSync("/dev/null", "r"));
} catch {
  // None is free.
}
const [without, solr] = await Promise.all([inspect(), launchSolr("/", [])]);
const ended = solr.ended();
await solr.stop();
for (const one of opened) closeSync(one);
process.stdout.write(JSON.stringify({ without, ended, after: (await inspect()).kind }));
clearInterval(running);
