/**
 * User data, over every kind of interleaving: several instances register the same files and delete them, in steps that
 * chance puts in order, broken off anywhere. What is driven is the service's own code, over an index in memory that does
 * what Solr does with versions.
 */
import { afterAll, describe, expect, it } from "vitest";
import type { Added } from "../../../src/domain/user-data/messages.js";
import { SolrUnavailable } from "../../../src/index/errors.js";
import type { StoredFile, UserCollection } from "../../../src/index/user-data/user-collection.js";
import { UserDocuments } from "../../../src/index/user-data/user-documents.js";
import { attempts, chance, SEED } from "../../support/run/trials.js";

const RUNS = attempts(4000, 60_000);
const FILES = ["/a.nc", "/b.nc"];

interface Stored extends StoredFile {
  readonly text: string;
}

interface Request {
  readonly actor: Actor;
  readonly run: () => unknown;
  readonly answer: (value: unknown) => void;
}

/** Somebody who sends one request to an instance of its own. */
interface Actor {
  readonly owner: string;
  readonly kind: "add" | "remove";
  readonly model: string;
  broken: boolean;
  result?: { readonly added?: Added; readonly failed?: Error };
}

/** The index, and the requests to it that wait until chance lets them through. */
class World {
  readonly documents = new Map<string, Stored>();
  /** What a commit has made visible. */
  visible: readonly Stored[] = [];
  readonly waiting: Request[] = [];
  #version = 1;
  steps = 0;
  /** Whether something was broken off. */
  isFaulty = false;

  /** @param losing chance, by which some of what is written is answered as if it were done, and is not */
  constructor(readonly losing?: () => number) {}

  pause(actor: Actor): Promise<void> {
    return this.#ask(actor, () => {});
  }

  #ask<T>(actor: Actor, run: () => T): Promise<T> {
    return new Promise((answer) => {
      this.waiting.push({ actor, run, answer: answer as (value: unknown) => void });
    });
  }

  #isLost(): boolean {
    return (this.losing?.() ?? 1) < 0.1;
  }

  /** What an actor sees of it. */
  for(actor: Actor): UserCollection {
    const { documents } = this;
    return {
      mayLose: this.losing !== undefined,
      ready: async () => {},
      insert: ({ claim }, entries) =>
        this.#ask(actor, () => {
          const conflicts = new Set<string>();
          for (const { file, text } of entries) {
            if (this.#isLost()) continue;
            const version = String(++this.#version);
            if (documents.has(file)) conflicts.add(file);
            else documents.set(file, { file, claim, version, text });
          }
          return conflicts;
        }),
      read: (files) =>
        this.#ask(actor, () => {
          const found = files.flatMap((file) => documents.get(file) ?? []);
          return new Map(found.map((one) => [one.file, one]));
        }),
      remove: (some) =>
        this.#ask(actor, () => {
          const conflicts = new Set<string>();
          for (const { file, version } of some) {
            const there = documents.get(file)?.version;
            if (this.#isLost() || there === undefined) continue;
            if (there === version) documents.delete(file);
            else conflicts.add(file);
          }
          return conflicts;
        }),
      // One document a page, so that others come between.
      list: (clauses, _, from = "*") =>
        this.#ask(actor, () => {
          const all = this.visible.filter((one) => holds(one, clauses));
          const found = all.filter(({ file }) => from === "*" || file > from).slice(0, 1);
          return { found, next: found[0]?.file ?? from };
        }),
      countStanding: ({ claim }) =>
        this.#ask(actor, () => this.visible.filter((one) => one.claim === claim).length),
      commit: () =>
        this.#ask(actor, () => {
          this.visible = [...documents.values()].sort((a, b) => (a.file < b.file ? -1 : 1));
        }),
    };
  }

  /** Who wrote each document. */
  get registered(): ReadonlyMap<string, string | undefined> {
    return new Map([...this.documents.values()].map(({ file, claim }) => [file, claim]));
  }
}

/** Clauses are of the form `key:value`. */
function holds({ text }: Stored, clauses: readonly string[]): boolean {
  const document = JSON.parse(text) as Record<string, string>;
  return clauses.every((clause) => {
    const [key = "", value] = clause.split(":");
    return document[key] === value;
  });
}

const settled = () => new Promise<void>((done) => setImmediate(done));

function begin(world: World, actor: Actor): void {
  const documents = new UserDocuments(world.for(actor), () => world.pause(actor));
  const owner = { id: actor.owner, sub: actor.owner, user: actor.owner, isLocal: true };
  const change =
    actor.kind === "add"
      ? documents.add(
          owner,
          FILES.map((file) => ({ file, model: actor.model })),
        )
      : documents.remove([
          `owner:${actor.owner}`,
          ...(actor.model === "" ? [] : [`model:${actor.model}`]),
        ]);
  change.then(
    (added) => {
      actor.result = typeof added === "object" ? { added } : {};
    },
    (failed: Error) => {
      actor.result = { failed };
      world.isFaulty = true;
    },
  );
}

/** Lets requests through one by one until nobody waits any more. @param breaks how likely each is the last of its sender */
async function run(world: World, next: () => number, breaks: number): Promise<void> {
  const deletes = (request: Request) => request.actor.kind === "remove";
  for (await settled(); world.waiting.length > 0; await settled()) {
    world.steps += 1;
    const [request] = world.waiting.splice(Math.floor(next() * world.waiting.length), 1);
    if (request === undefined) throw new Error("nobody waits");
    const { actor } = request;
    if (!actor.broken && next() < breaks) {
      actor.broken = true;
      // What it was about to say is lost, or comes some time later.
      world.isFaulty = true;
      if (next() < 0.5) world.waiting.push(request);
      continue;
    }
    const before = world.registered;
    const value = request.run();
    if (!actor.broken) request.answer(value);
    if (deletes(request)) continue;
    const after = world.registered;
    for (const [file, claim] of before) {
      expect(after.get(file), `${file} was registered`).toBe(claim);
    }
  }
}

const actorsOf = (kinds: string, next: () => number): Actor[] =>
  [...kinds].map((kind, at) => ({
    // Upper case is somebody else.
    owner: kind === kind.toUpperCase() ? "bob" : "ada",
    kind: kind.toLowerCase() === "w" ? "add" : "remove",
    model: kind.toLowerCase() === "w" ? `m${at}` : next() < 0.5 ? "" : "m0",
    broken: false,
  }));

const seen = { runs: 0, broken: 0, failed: 0, steps: 0 };

async function one(kinds: string, breaks: number, seed: number): Promise<void> {
  const next = chance(seed);
  const world = new World(next() < 0.3 ? next : undefined);
  const actors = actorsOf(kinds, next);
  for (const actor of actors) begin(world, actor);
  await run(world, next, breaks);
  seen.runs += 1;
  seen.steps += world.steps;
  seen.broken += actors.filter(({ broken }) => broken).length;
  const answered = actors.filter(({ broken }) => !broken);
  for (const { result } of answered) {
    if (result === undefined) throw new Error("somebody was never answered");
    if (result.failed === undefined) continue;
    seen.failed += 1;
    if (!(result.failed instanceof SolrUnavailable)) throw result.failed;
  }
  if (!world.isFaulty) {
    const added = answered.reduce((sum, { result }) => sum + (result?.added?.added ?? 0), 0);
    const deletes = actors.some(({ kind }) => kind === "remove");
    // Each document was added by one request, and by no other, unless somebody deleted it in between.
    if (deletes) expect(added).toBeGreaterThanOrEqual(world.documents.size);
    else expect(added).toBe(FILES.length);
  }
  const before = world.registered;
  // What is free can be registered, and what is not stays as it is.
  for (const owner of ["ada", "bob"]) {
    const last: Actor = { owner, kind: "add", model: "last", broken: false };
    begin(world, last);
    await run(world, next, 0);
    expect(last.result?.failed).toBeUndefined();
  }
  const whole = world.registered;
  expect([...whole.keys()].sort()).toEqual(FILES);
  expect(world.visible).toHaveLength(FILES.length);
  for (const [file, claim] of before) expect(whole.get(file)).toBe(claim);
  for (const owner of ["ada", "bob"]) {
    begin(world, { owner, kind: "remove", model: "", broken: false });
    await run(world, next, 0);
  }
  expect(world.documents.size).toBe(0);
  expect(world.visible).toEqual([]);
}

describe.each([
  ["two who register the same files", "ww"],
  ["three of them", "www"],
  ["two, and one who deletes", "wwd"],
  ["one who registers and two who delete", "wdd"],
  ["two of one owner and one of another", "wwW"],
  ["two owners, of whom one deletes", "wdW"],
])("concurrent requests: %s", (_, kinds) => {
  it.each([
    ["not broken off", 0],
    ["broken off now and then", 0.05],
    ["mostly broken off", 0.2],
  ])(
    "register each file once, and keep what was registered: %s",
    async (_, breaks) => {
      for (let at = 0; at < RUNS / 18; at += 1) {
        const seed = SEED + at;
        await one(kinds, breaks, seed).catch((cause) => {
          throw new Error(`${kinds}, ${breaks}, seed ${seed}: ${cause}`, { cause });
        });
      }
    },
    600_000,
  );
});

afterAll(() => {
  console.log(`interleavings: ${JSON.stringify(seen)}`);
  expect(seen.broken).toBeGreaterThan(seen.runs / 4);
  expect(seen.failed).toBeLessThan(seen.runs / 100);
});
