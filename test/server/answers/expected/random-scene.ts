/** Random documents behind a real service, and random searches among them, each with what it must find. */
import { expect } from "vitest";
import type { Flavour } from "../../../../src/domain/vocabulary/flavours.js";
import { flavourOf } from "../../../../src/server/flavours/definition.js";
import { found, type Known } from "../../../support/data/known-documents.js";
import { type Chance, chances, randomDocuments } from "../../../support/data/random-documents.js";
import {
  OWN_FLAVOUR,
  OWN_MAPPING,
  type Pair,
  randomSearch,
  type Written,
} from "../../../support/data/random-searches.js";
import { attempts, chance, patience, SEED, tried } from "../../../support/run/trials.js";
import { use } from "../../../support/run/use.js";
import { flavours, makeFlavour } from "../../../support/service/flavours.js";
import {
  emptyIndex,
  load,
  startService,
  type TestService,
} from "../../../support/service/service.js";
import { bearer, jsonRequest } from "../../../support/service/sign-in.js";
import { type Person, person } from "../../../support/service/user-data.js";

/** How many searches a test tries. */
export const SEARCHES = attempts(100, 5000);
export const PATIENCE = patience(60_000, 3_600_000);

export class RandomScene {
  private constructor(
    private readonly service: TestService,
    private readonly ada: Person,
    readonly documents: readonly Known[],
    readonly by: Chance,
  ) {}

  static async start(): Promise<RandomScene> {
    const service = await startService();
    await emptyIndex(service.solr);
    const ada = await person(service);
    await makeFlavour(service, ada, OWN_FLAVOUR.name, OWN_MAPPING);
    const by = chances(chance(SEED));
    const { posted, known } = randomDocuments(by.random);
    const refused: never[] = [];
    await load(service.solr, posted, refused);
    expect(refused).toEqual([]);
    return new RandomScene(service, ada, known, by);
  }

  close(): Promise<void> {
    return this.service.close();
  }

  /** Gives the own flavour other names. */
  async rename(mapping: Readonly<Record<string, string>>): Promise<Flavour> {
    const { name } = OWN_FLAVOUR;
    const changed = await flavours(this.service, this.ada, "PUT", { mapping }, `/${name}`);
    expect(changed.status, await changed.text()).toBe(200);
    return flavourOf({ name, mapping });
  }

  /**
   * Random searches one after the other, each with what it finds, by what the test does.
   *
   * @param most constraints
   * @param flavour of the next search; left out: any
   */
  async each(
    most: number,
    check: (search: Written, of: Known[]) => Promise<void>,
    searches = SEARCHES,
    flavour?: (n: number) => Promise<Flavour>,
  ): Promise<void> {
    let something = 0;
    for (let n = 0; n < searches; n++) {
      const search = randomSearch(this.by, most, await flavour?.(n));
      const of = found(this.documents, search);
      if (of.length > 0) something += 1;
      try {
        await check(search, of);
      } catch (error) {
        const query = new URLSearchParams(search.pairs.map(([name, value]) => [name, value]));
        throw new Error(`search ${n}: ${search.path}?${query}`, { cause: error });
      }
    }
    // Else nothing would have been compared, or nothing without an answer.
    expect(something).toBeGreaterThan(searches / 5);
    expect(something).toBeLessThan(searches);
    tried(searches);
  }

  /** The answer of an operation to a search, which must be given. @param path `flavour/uniq_key`, or the flavour alone */
  async ask(
    operation: string,
    { pairs }: Pick<Written, "pairs">,
    path: string,
    more: readonly Pair[] = [],
  ): Promise<string> {
    const query = new URLSearchParams([...pairs, ...more].map(([name, value]) => [name, value]));
    const address = `/databrowser/${operation}/${path}?${query}`;
    const response = await this.service.get(address, bearer(this.ada.token));
    const text = await response.text();
    expect(response.status, `${more} ${text}`).toBe(200);
    return text;
  }

  async askJson<T>(...asked: Parameters<RandomScene["ask"]>): Promise<T> {
    return JSON.parse(await this.ask(...asked)) as T;
  }

  /** An answer to a caller without a token. */
  get(path: string): Promise<Response> {
    return this.service.get(path);
  }

  /** The answer of an operation that is sent JSON, which must be given. @param path below `databrowser` */
  async post(path: string, body: unknown): Promise<string> {
    const response = await this.service.get(
      `/databrowser/${path}`,
      jsonRequest("POST", body, this.ada.token),
    );
    const text = await response.text();
    expect(response.status, text).toBe(200);
    return text;
  }

  /** Requests an address that an answer has given. */
  fetch(address: string): Promise<Response> {
    return fetch(address, bearer(this.ada.token));
  }

  /** The same, as lines. */
  async lines(address: string): Promise<string[]> {
    const response = await this.fetch(address);
    const text = await response.text();
    expect(response.status, `${address} ${text}`).toBe(200);
    return text.split("\n").slice(0, -1);
  }
}

/** A scene for all tests of a file. */
export const useRandomScene = () =>
  use(
    () => RandomScene.start(),
    (scene) => scene.close(),
  );

/** In an order of their own, to be compared without regard to order. */
export const inOrder = <T>(list: readonly T[]): T[] =>
  [...list].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
