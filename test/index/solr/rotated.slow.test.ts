/** A crawler that loads into cores of its own and puts them in the place of ours, on an embedded Solr that is started again. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { archiveOptions } from "../../../src/index/embedded/class-archive.js";
import { type EmbeddedSolr, startEmbeddedSolr } from "../../../src/index/embedded/embedded.js";
import { SolrHttp } from "../../../src/index/transport/http.js";
import { freshFolder } from "../../support/run/folders.js";

const dataDir = freshFolder();
let solr: EmbeddedSolr | undefined;
afterAll(() => solr?.stop());

async function start(): Promise<SolrHttp> {
  const javaOptions = await archiveOptions();
  solr = await startEmbeddedSolr({ dataDir, heap: "256m", report: () => {}, javaOptions });
  return new SolrHttp(solr.endpoint, 60_000);
}

const admin = (http: SolrHttp, query: string) =>
  http.send({ path: `admin/cores?wt=json&${query}`, timeoutMs: 60_000 });

const post = (http: SolrHttp, core: string, file: string) =>
  http.send({
    method: "POST",
    path: `${core}/update?commit=true`,
    body: JSON.stringify([{ file }]),
    headers: { "Content-Type": "application/json" },
  });

async function filesIn(http: SolrHttp, core: string): Promise<string[]> {
  const { text } = await http.send({ path: `${core}/select?q=*:*&fl=file` });
  const { response } = JSON.parse(text) as { response: { docs: { file: string }[] } };
  return response.docs.map(({ file }) => file);
}

it("swapped, renamed and unloaded cores are served by their names after the next starts", {
  timeout: 240_000,
}, async () => {
  const home = join(dataDir, "solr", "home");
  const add = async (http: SolrHttp, name: string): Promise<void> => {
    await admin(http, `action=CREATE&name=${name}&configSet=configset`);
    await post(http, name, `/${name}`);
  };

  const first = await start();
  await post(first, "files", "/blue");
  await add(first, "green");
  // Swapped, and what was ours is taken away with its folder.
  await admin(first, "action=SWAP&core=files&other=green");
  await admin(first, "action=UNLOAD&core=green&deleteInstanceDir=true");
  expect(await filesIn(first, "files")).toEqual(["/green"]);
  await solr?.stop();

  // A folder without an index, as a start leaves that looks at folders alone.
  await mkdir(join(home, "files"), { recursive: true });
  await writeFile(join(home, "files", "core.properties"), "name=files\nconfigSet=configset\n");
  const second = await start();
  expect(await filesIn(second, "files")).toEqual(["/green"]);
  // Renamed, and what was ours is kept under another name.
  await add(second, "files_green");
  await admin(second, "action=RENAME&core=files&other=files_old");
  await admin(second, "action=RENAME&core=files_green&other=files");
  await solr?.stop();

  const third = await start();
  expect(await filesIn(third, "files")).toEqual(["/files_green"]);
  expect(await filesIn(third, "files_old")).toEqual(["/green"]);
  expect(await filesIn(third, "state")).toEqual([]);
  // Gone altogether, while its first folder is another core's: made anew beside it.
  await admin(third, "action=UNLOAD&core=files&deleteInstanceDir=true");
  await solr?.stop();

  const fourth = await start();
  expect(await filesIn(fourth, "files")).toEqual([]);
  expect(await filesIn(fourth, "files_old")).toEqual(["/green"]);
});
