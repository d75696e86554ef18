/** What goes on while an index is upgraded: a client that searches, a writer of user data, a command that is killed. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Owner } from "../../src/domain/user-data/owner.js";
import type { UserDocument } from "../../src/domain/user-data/read-user-data.js";
import { type Ended, MAIN, run, type Settings } from "../cli/command.js";
import type { TestService } from "./service.js";

const FACETS = "/databrowser/metadata-search/native/file";
const LIST = "/databrowser/data-search/native/file";

/** Searches throughout, and keeps what was not right and complete. */
export class Searcher {
  readonly wrong: string[] = [];
  answers = 0;
  #stopped = false;
  readonly #running: Promise<void>;

  private constructor(private readonly expected: Expected) {
    this.#running = this.#search();
  }

  /** @param lists whether whole lists are read, too */
  static async start(service: TestService, lists = true): Promise<Searcher> {
    const metadata = async (query: string): Promise<string> => {
      const response = await service.get(`${FACETS}${query}`);
      return `${response.status} ${await response.text()}`;
    };
    const list = async (query: string): Promise<string> => {
      const response = await service.get(`${LIST}${query}`);
      const text = await response.text();
      return `${response.status} ${text.length} ${text.split("\n").length}`;
    };
    const asked: [string, (query: string) => Promise<string>][] = [
      ["", metadata],
      ["?multi-version=true", metadata],
      ["?variable=tas&time=1960%20to%201970", metadata],
      ["?bbox=-20,20,0,40&model=CanESM5", metadata],
      ...(lists ? ([["", list]] as [string, typeof list][]) : []),
      ["?multi-version=true&variable=orog&project=cmip6", list],
    ];
    const expected: Expected = [];
    for (const [query, ask] of asked) {
      const answer = await ask(query);
      if (!answer.startsWith("200 ")) throw new Error(answer);
      expected.push({ query, ask, answer });
    }
    return new Searcher(expected);
  }

  async #search(): Promise<void> {
    for (let at = 0; !this.#stopped; at = (at + 1) % this.expected.length) {
      const { query, ask, answer } = this.expected[at] as Expected[number];
      const now = await ask(query).catch((error: Error) => error.message);
      this.answers += 1;
      if (now !== answer) this.wrong.push(`${query}: ${now.slice(0, 200)}`);
      await sleep(5);
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }
}

type Expected = {
  readonly query: string;
  readonly ask: (query: string) => Promise<string>;
  readonly answer: string;
}[];

export const ADA: Owner = { id: "ada-1", sub: "ada-1", user: "ada", isLocal: true };

const userFile = (name: string): UserDocument => ({
  file: `/home/ada/${name}.nc`,
  variable: ["tas"],
  project: ["mine"],
  extra: `{"no":"${name}"}`,
});

/**
 * Registers and deletes user data all the time, as the service does. What is deleted was there before: of an entry that
 * comes and goes within the moment of the switch nothing is promised.
 */
export class Writer {
  /** What must be there at the end. */
  readonly files: Set<string>;
  writes = 0;
  #stopped = false;
  readonly #running: Promise<void>;

  private constructor(
    private readonly service: TestService,
    private readonly random: () => number,
    private readonly pause: number,
    private readonly old: string[],
  ) {
    this.files = new Set(old);
    this.#running = this.#write();
  }

  static async start(service: TestService, random: () => number, pause: number): Promise<Writer> {
    const old = Array.from({ length: 200 }, (_, at) => userFile(`old-${at}`));
    await service.solr.userDocuments.add(ADA, old);
    return new Writer(
      service,
      random,
      pause,
      old.map(({ file }) => file),
    );
  }

  async #write(): Promise<void> {
    const { userDocuments } = this.service.solr;
    for (let at = 0; !this.#stopped; at += 1) {
      const file = this.random() < 0.4 ? this.old.pop() : undefined;
      if (file !== undefined) {
        await userDocuments.remove(ADA, [`owner:"${ADA.id}"`, `file:"${file}"`]);
        this.files.delete(file);
      } else {
        const document = userFile(String(at));
        await userDocuments.add(ADA, [document]);
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
