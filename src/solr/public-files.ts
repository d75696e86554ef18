/** Which files are public data of the index, committed or not. */
import type { SolrHttp } from "./http.js";

/** Files in one request. */
const BATCH = 1000;

interface Answer {
  readonly doc?: Found | null;
  readonly response?: { readonly docs: readonly Found[] };
}

interface Found {
  readonly file: string;
  readonly owner?: unknown;
  readonly user?: unknown;
}

/** Those of the files that are in the index and nobody's own. @throws SolrUnavailable, SolrTimeout */
export async function publicFiles(
  http: SolrHttp,
  files: readonly string[],
): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (let from = 0; from < files.length; from += BATCH) {
    // Else Solr would put its own parameters in place of `${...}` in a path.
    const form = new URLSearchParams({ fl: "file,owner,user", wt: "json", expandMacros: "false" });
    for (const file of files.slice(from, from + BATCH)) form.append("id", file);
    const { text } = await http.send({
      method: "POST",
      path: "files/get",
      body: form.toString(),
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
    });
    const answer = JSON.parse(text) as Answer;
    const found = answer.response?.docs ?? (answer.doc ? [answer.doc] : []);
    for (const { file, owner, user } of found) {
      if (owner === undefined && user === undefined) known.add(file);
    }
  }
  return known;
}
