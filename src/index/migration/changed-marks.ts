/** Corrects the marks of newest versions after documents have been migrated. */
import { settleMarks } from "../loading/marks/marks.js";
import { drsKey } from "../loading/version.js";
import type { SolrHttp } from "../transport/http.js";
import { commit } from "./copy-documents.js";
import { differences, listing } from "./key-listing.js";
import type { IndexPlace } from "./layout.js";

export class ChangedMarks {
  readonly #http: SolrHttp;
  /** Keys of changed documents, whose marks must be examined; undefined before `start`. */
  #keys: Set<string> | undefined;

  constructor(http: SolrHttp) {
    this.#http = http;
  }

  /** From here on changes are noted. While the new index is empty, no mark in it can be wrong. */
  start(): void {
    this.#keys ??= new Set();
  }

  /** Notes that a document was copied or deleted. */
  note(file: string): void {
    this.#keys?.add(drsKey(file));
  }

  /** Notes the documents whose membership in the former `latest` changed while they were copied. */
  async compare(target: IndexPlace, formerLatest: IndexPlace | undefined): Promise<void> {
    if (formerLatest === undefined) return;
    const publicOnes = "{!cache=false}-user:*";
    const left = listing(this.#http, formerLatest, "file", [publicOnes]);
    const right = listing(this.#http, target, "file", [publicOnes, "latest:true"]);
    for await (const { former, copy } of differences(left, right)) {
      this.note((former ?? copy)?.file ?? "");
    }
  }

  /** Corrects the marks of all versions of the noted documents. */
  async settle(target: IndexPlace): Promise<void> {
    const keys = this.#keys ?? new Set();
    if (keys.size === 0) return;
    await commit(this.#http, target, true);
    await settleMarks(this.#http, keys, target.name);
    await commit(this.#http, target, true);
    keys.clear();
  }
}
