/**
 * The order in which user data is written, over every kind of interleaving: several instances register the same files
 * and delete them, in steps that chance puts in order, broken off anywhere. What is driven is the service's own code,
 * over two collections in memory that do what Solr does with versions.
 */
import { afterAll, describe, expect, it } from "vitest";
import type { Added } from "../../../src/domain/user-data/messages.js";
import { SolrUnavailable } from "../../../src/index/errors.js";
import type {
  StoredFile,
  UserCollection,
  WriteRequest,
} from "../../../src/index/user-data/user-collection.js";
import {
  type UserCollections,
  UserDocuments,
} from "../../../src/index/user-data/user-documents.js";
import { attempts } from "../../support/attempts.js";
import { chance, SEED } from "../../support/chance.js";

const RUNS = attempts(4000, 60_000);
const FILES = ["/a.nc", "/b.nc"];

interface Stored extends StoredFile {
  readonly text: string;
}

/** One collection: what was written, and what a commit has made visible of it. */
class Memory {
  readonly documents = new Map<string, Stored>();
  visible: ReadonlyMap<string, Stored> = new Map();
}

type Name = "files" | "latest";

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
  result?: { readonly at: number; readonly added?: Added; readonly failed?: Error };
}

/** Both collections, and the requests to them that wait until chance lets them through. */
class World {
  readonly memory = { files: new Memory(), latest: new Memory() };
  readonly waiting: Request[] = [];
  #version = 1;
  now = 0;
  /** When something was broken off last, or came of what was. */
  fault = -1;

  /** @param losing chance, by which some of what is written is answered as if it were done, and is not */
  constructor(readonly losing?: () => number) {}

  /** What an actor sees of it. */
  for(actor: Actor): UserCollections {
    return {
      files: this.#collection(actor, "files"),
      latest: this.#collection(actor, "latest"),
      ready: async () => {},
    };
  }

  pause(actor: Actor): Promise<void> {
    return this.#ask(actor, () => {});
  }

  #ask<T>(actor: Actor, run: () => T): Promise<T> {
    return new Promise((answer) => {
      this.waiting.push({ actor, run, answer: answer as (value: unknown) => void });
    });
  }

  #collection(actor: Actor, name: Name): UserCollection {
    const memory = this.memory[name];
    const { documents } = memory;
    const found = (clauses: readonly string[], claims?: readonly string[]) =>
      [...memory.visible].filter(([, one]) => holds(one, clauses, claims));
    return {
      mayLose: this.losing !== undefined,
      write: (writes) =>
        this.#ask(actor, () => {
          const isLost = () => (this.losing?.() ?? 1) < 0.1;
          const documents = writes.documents.filter(() => !isLost());
          return this.#write(memory, { ...writes, documents });
        }),
      read: (files) =>
        this.#ask(actor, () => new Map(files.flatMap((file) => pair(file, documents.get(file))))),
      remove: (some) =>
        this.#ask(actor, () => {
          for (const { file, version } of some) {
            if (documents.get(file)?.version === version) documents.delete(file);
          }
        }),
      countStanding: ({ claim }) => this.#ask(actor, () => found([], [claim]).length),
      count: (clauses) =>
        this.#ask(actor, () => {
          const counts = new Map<string, number>();
          for (const [, { claim = "" }] of found(clauses)) {
            counts.set(claim, (counts.get(claim) ?? 0) + 1);
          }
          return counts;
        }),
      list: (clauses, claims) =>
        this.#ask(actor, () => found(clauses, claims).map(([file]) => file)),
      removeFound: (clauses, claims) =>
        this.#ask(actor, () => {
          for (const [file, one] of documents) {
            if (holds(one, clauses, claims)) documents.delete(file);
          }
        }),
      commit: () =>
        this.#ask(actor, () => {
          memory.visible = new Map(documents);
        }),
    };
  }

  #write({ documents }: Memory, { writing, documents: all }: WriteRequest): ReadonlySet<string> {
    const conflicts = new Set<string>();
    for (const { entry, version } of all) {
      const there = documents.get(entry.file)?.version ?? "-1";
      if (there !== version) conflicts.add(entry.file);
      else {
        const { owner } = JSON.parse(entry.text) as { owner: string };
        const { claim } = writing;
        documents.set(entry.file, {
          owner,
          claim,
          version: String(++this.#version),
          text: entry.text,
        });
      }
    }
    return conflicts;
  }

  /** Files that are registered, each with who wrote it. */
  registered(): ReadonlyMap<string, string> {
    const { files, latest } = this.memory;
    return new Map(
      [...files.documents].flatMap(([file, { claim, owner }]) => {
        const other = latest.documents.get(file);
        return claim !== undefined && other?.claim === claim && other.owner === owner
          ? [[file, claim] as const]
          : [];
      }),
    );
  }
}

const pair = (file: string, one: Stored | undefined) => (one ? [[file, one] as const] : []);

/** Clauses are of the form `key:value`. */
function holds(one: Stored, clauses: readonly string[], claims?: readonly string[]): boolean {
  const document = JSON.parse(one.text) as Record<string, string>;
  const all = clauses.every((clause) => {
    const [key = "", value] = clause.split(":");
    return document[key] === value;
  });
  return all && (claims === undefined || claims.includes(one.claim ?? ""));
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
      : documents.remove(owner, [
          `owner:${actor.owner}`,
          ...(actor.model === "" ? [] : [`model:${actor.model}`]),
        ]);
  change.then(
    (added) => {
      actor.result = { at: world.now, ...(typeof added === "object" && { added }) };
    },
    (failed: Error) => {
      actor.result = { at: world.now, failed };
      world.fault = world.now;
    },
  );
}

/** Lets requests through one by one until nobody waits any more. @param breaks how likely each is the last of its sender */
async function run(world: World, next: () => number, breaks: number): Promise<void> {
  const deletes = (request: Request) => request.actor.kind === "remove";
  for (await settled(); world.waiting.length > 0; await settled()) {
    world.now += 1;
    const [request] = world.waiting.splice(Math.floor(next() * world.waiting.length), 1);
    if (request === undefined) throw new Error("nobody waits");
    const { actor } = request;
    if (!actor.broken && next() < breaks) {
      actor.broken = true;
      // What it was about to say is lost, or comes some time later.
      world.fault = world.now;
      if (next() < 0.5) world.waiting.push(request);
      continue;
    }
    const before = world.registered();
    const value = request.run();
    if (actor.broken) world.fault = world.now;
    else request.answer(value);
    if (deletes(request)) continue;
    const after = world.registered();
    for (const [file, claim] of before) {
      expect(after.get(file), `${file} was registered`).toBe(claim);
    }
  }
}

/** Both collections as they are, but for versions. */
const contents = ({ memory }: World) =>
  (["files", "latest"] as const).map((name) =>
    [...memory[name].documents].map(([file, { claim, text }]) => [file, claim, text]).sort(),
  );

const actorsOf = (kinds: string, next: () => number): Actor[] =>
  [...kinds].map((kind, at) => ({
    // Upper case is somebody else.
    owner: kind === kind.toUpperCase() ? "bob" : "ada",
    kind: kind.toLowerCase() === "w" ? "add" : "remove",
    model: kind.toLowerCase() === "w" ? `m${at}` : next() < 0.5 ? "" : "m0",
    broken: false,
  }));

const seen = { runs: 0, broken: 0, failed: 0, halves: 0, steps: 0 };

async function one(kinds: string, breaks: number, seed: number): Promise<void> {
  const next = chance(seed);
  const world = new World(next() < 0.3 ? next : undefined);
  const actors = actorsOf(kinds, next);
  for (const actor of actors) begin(world, actor);
  await run(world, next, breaks);
  seen.runs += 1;
  seen.steps += world.now;
  seen.broken += actors.filter(({ broken }) => broken).length;
  const answered = actors.filter(({ broken }) => !broken);
  for (const { result } of answered) {
    if (result === undefined) throw new Error("somebody was never answered");
    if (result.failed !== undefined) seen.failed += 1;
    if (result.failed !== undefined && !(result.failed instanceof SolrUnavailable))
      throw result.failed;
  }
  const isWell = world.fault < 0;
  if (isWell) {
    const [files, latest] = contents(world);
    expect(latest).toEqual(files);
    const added = answered.reduce((sum, { result }) => sum + (result?.added?.added ?? 0), 0);
    const deletes = actors.some(({ kind }) => kind === "remove");
    // Where a claim was lost, its other half may keep somebody else from the file.
    const isExact = !deletes && world.losing === undefined;
    if (isExact) expect(added).toBe(FILES.length);
    expect(added).toBeGreaterThanOrEqual(files?.length ?? 0);
  }
  const before = world.registered();
  if (before.size < world.memory.files.documents.size) seen.halves += 1;
  // Of whoever has it, one more request that is answered makes it whole.
  for (const owner of ["ada", "bob"]) {
    const last: Actor = { owner, kind: "add", model: "last", broken: false };
    begin(world, last);
    await run(world, next, 0);
    expect(last.result?.failed).toBeUndefined();
  }
  const [files = [], latest] = contents(world);
  expect(latest).toEqual(files);
  expect(files.map(([file]) => file)).toEqual(FILES);
  const whole = world.registered();
  for (const [file, claim] of before) expect(whole.get(file)).toBe(claim);
  for (const [file, , text = ""] of files) {
    if (!before.has(String(file))) expect(text).toContain('"last"');
  }
  for (const owner of ["ada", "bob"]) {
    begin(world, { owner, kind: "remove", model: "", broken: false });
    await run(world, next, 0);
  }
  expect(contents(world)).toEqual([[], []]);
}

describe.each([
  ["two who register the same files", "ww"],
  ["three of them", "www"],
  ["two, and one who deletes", "wwd"],
  ["one who registers and two who delete", "wdd"],
  ["two of one owner and one of another", "wwW"],
  ["two owners, of whom one deletes", "wdW"],
])("%s", (_, kinds) => {
  it.each([
    ["not broken off", 0],
    ["broken off now and then", 0.05],
    ["mostly broken off", 0.2],
  ])(
    "%s: both collections have the same, and what was registered stays",
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
  expect(seen.halves).toBeGreaterThan(seen.runs / 50);
  expect(seen.failed).toBeLessThan(seen.runs / 100);
});
