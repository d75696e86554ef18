/** What any Solr of the tests is started from: fetched and prepared before the first of them. */
import { ensureClassArchive } from "../../../src/index/embedded/class-archive.js";
import { ensureSolrJars } from "../../../src/index/embedded/download.js";

export default async function setup(): Promise<void> {
  await ensureSolrJars((line) => console.log(line));
  await ensureClassArchive((line) => console.log(line));
}
