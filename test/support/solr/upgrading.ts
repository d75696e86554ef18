/** What goes on while an index is upgraded: the former release, which searches and writes, and a command that is killed. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { SolrCollection } from "../../../src/index/transport/client.js";
import type { SolrHttp } from "../../../src/index/transport/http.js";
import { type Ended, MAIN, run, type Settings } from "../../cli/command.js";

/** Searches of the former release: the collection, and the query. */
const SEARCHES = [
  ["latest", "-user:*"],
  ["files", "-user:*"],
  ["latest", "variable:tas AND -user:*"],
  ["files", "variable:orog AND project:cmip6 AND -user:*"],
] as const;

/** Searches throughout as the former release does, and keeps what was not right and complete. */
export class Searcher {
  readonly wrong: string[] = [];
  answers = 0;
  #stopped = false;
  readonly #running: Promise<void>;

  private constructor(
    private readonly http: SolrHttp,
    private readonly expected: readonly number[],
  ) {
    this.#running = this.#search();
  }

  static async start(http: SolrHttp): Promise<Searcher> {
    const expected: number[] = [];
    for (const at of SEARCHES.keys()) expected.push(await count(http, at));
    return new Searcher(http, expected);
  }

  async #search(): Promise<void> {
    for (let at = 0; !this.#stopped; at = (at + 1) % SEARCHES.length) {
      const now = await count(this.http, at).catch((error: Error) => error.message);
      this.answers += 1;
      if (now !== this.expected[at]) this.wrong.push(`${SEARCHES[at]}: ${now}`);
      await sleep(5);
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }
}

async function count(http: SolrHttp, at: number): Promise<number> {
  const [name, q] = SEARCHES[at] as (typeof SEARCHES)[number];
  const { text } = await new SolrCollection(http, name).select(
    new URLSearchParams({ q, rows: "0" }),
  );
  return (JSON.parse(text) as { response: { numFound: number } }).response.numFound;
}

const userFile = (name: string) => ({
  file: `/home/ada/${name}.nc`,
  ...{ user: "ada", owner: "ada-1", variable: ["tas"], project: ["mine"], _claim_: name },
  extra: `{"no":"${name}"}`,
});

/**
 * Registers and deletes user data all the time, as the former release does. What is deleted was there before: of an entry that
 * comes and goes within the moment of the switch nothing is promised.
 */
export class Writer {
  /** What must be there at the end. */
  readonly files: Set<string>;
  writes = 0;
  #stopped = false;
  readonly #running: Promise<void>;

  private constructor(
    private readonly http: SolrHttp,
    private readonly random: () => number,
    private readonly pause: number,
    private readonly old: string[],
  ) {
    this.files = new Set(old);
    this.#running = this.#write();
  }

  static async start(http: SolrHttp, random: () => number, pause: number): Promise<Writer> {
    const old = Array.from({ length: 200 }, (_, at) => userFile(`old-${at}`));
    await update(http, old);
    return new Writer(
      http,
      random,
      pause,
      old.map(({ file }) => file),
    );
  }

  async #write(): Promise<void> {
    for (let at = 0; !this.#stopped; at += 1) {
      const file = this.random() < 0.4 ? this.old.pop() : undefined;
      if (file !== undefined) {
        await update(this.http, { delete: { query: `owner:"ada-1" AND file:"${file}"` } });
        this.files.delete(file);
      } else {
        const document = userFile(String(at));
        await update(this.http, [document]);
        this.files.add(document.file);
      }
      this.writes += 1;
      await sleep(this.pause * this.random());
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }
}

/** Sends documents or a command to both collections of the former release. */
async function update(http: SolrHttp, body: object): Promise<void> {
  for (const name of ["files", "latest"]) {
    const solr = new SolrCollection(http, name);
    await solr.update(JSON.stringify(body));
    await solr.commit(true);
  }
}

/** Runs the command, and kills it so often; the last time it may end. */
export async function upgradeWithKills(
  settings: Settings,
  moments: readonly number[],
): Promise<Ended> {
  for (const moment of moments) {
    const env = { ...process.env, ...settings };
    const child = spawn(process.execPath, [MAIN, "solr", "upgrade"], { env, stdio: "ignore" });
    const ended = once(child, "close");
    await Promise.race([sleep(moment), ended]);
    child.kill("SIGKILL");
    await ended;
  }
  return run(["solr", "upgrade"], { settings });
}
