/**
 * Upgrades an index while it is searched: a new index is filled from the former one, follows its changes, and replaces
 * it in one step.
 *
 * Clients write to the former index until the switch, and all their writes are copied. Writes at the moment of the
 * switch become visible once copied: after some tenths of a second if the index is idle, and after about two
 * synchronisation rounds (up to MAX_LAG each, longer on a slow Solr) if it is written constantly.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { CATALOGUE, type Catalogue } from "../collections/configset.js";
import { SetupError } from "../collections/setup-error.js";
import type { SolrHttp } from "../transport/http.js";
import { CollectionMigration } from "./collection-migration.js";
import type { Migrate, Refused } from "./copy-documents.js";
import type { Layout } from "./layout.js";

/** Maximum milliseconds that the new index may lag behind when it replaces one under constant writes. */
const MAX_LAG = 1500;
/** Rounds to wait for a moment without changes, and for one with few. */
const ROUNDS = { still: 3, short: 10 };
/** Milliseconds without changes after which writes to the former index have ended, and the limit for waiting. */
const QUIET = { min: 3000, max: 60_000, pause: 100 };

export interface UpgradeHooks {
  /** Receives one line per step. */
  readonly report: (line: string) => void;
  /** @param done documents of `total`, in one collection */
  readonly onProgress: (collection: Catalogue, done: number, total: number) => void;
  readonly onRefused: (collection: Catalogue, refused: Refused) => void;
  /** Called before a new index is created. Throws if, for example, there is no room. */
  readonly beforeFilling: () => Promise<void>;
}

export interface UpgradeResult {
  /** Whether there was anything to do. */
  readonly upgraded: boolean;
  readonly copied: number;
  /** Names under which former indexes are kept. */
  readonly kept: readonly string[];
}

interface Work {
  readonly name: Catalogue;
  readonly migration: CollectionMigration;
}

/**
 * Upgrades the catalogue's collections from an earlier release. Can be interrupted and run again.
 *
 * @throws SetupError: one sentence that names the obstacle; SolrUnavailable, SolrTimeout
 */
export async function upgrade(
  http: SolrHttp,
  layout: Layout,
  migrate: Migrate,
  hooks: UpgradeHooks,
): Promise<UpgradeResult> {
  const phases = await Promise.all(CATALOGUE.map((name) => layout.phase(name)));
  const at = (...wanted: readonly string[]): Catalogue[] =>
    CATALOGUE.filter((_, i) => wanted.includes(phases[i] ?? ""));
  if (at("outdated").length > 0) await hooks.beforeFilling();
  for (const name of at("outdated")) await layout.makeTarget(name);
  const works: Work[] = [];
  for (const name of at("outdated", "filling")) {
    const migration = await migrationOf(http, layout, migrate, hooks, name);
    await migration.fill();
    requireNoneRefused(migration, name);
    works.push({ name, migration });
  }
  if (works.length > 0) {
    await catchUpAll(works);
    for (const { name } of works) await switchOver(layout, name);
    for (const { name, migration } of works) migration.relocate(await placesOf(layout, name));
    hooks.report("The new index is the one that is searched now.");
  }
  for (const name of at("switched")) {
    const migration = await migrationOf(http, layout, migrate, hooks, name);
    await migration.resume();
    works.push({ name, migration });
  }
  await copyLateWrites(works);
  const kept: string[] = [];
  for (const { name, migration } of works) {
    requireNoneRefused(migration, name);
    kept.push(await layout.finish(name));
  }
  const copied = works.reduce((sum, { migration }) => sum + migration.copied, 0);
  return { upgraded: works.length > 0, copied, kept };
}

/** If a killed command requested the switch, it may have completed in the meantime. */
async function switchOver(layout: Layout, name: Catalogue): Promise<void> {
  if ((await layout.phase(name)) !== "filling") {
    throw new SetupError(`Somebody else has switched ${name} meanwhile; run this again.`);
  }
  await layout.switchOver(name);
}

const placesOf = async (layout: Layout, name: Catalogue) => ({
  former: await layout.former(name),
  target: await layout.target(name),
});

async function migrationOf(
  http: SolrHttp,
  layout: Layout,
  migrate: Migrate,
  hooks: UpgradeHooks,
  name: Catalogue,
): Promise<CollectionMigration> {
  let done = 0;
  let total = 0;
  const migration = new CollectionMigration(http, {
    ...(await placesOf(layout, name)),
    migrate,
    onCopied: (count) => {
      done += count;
      hooks.onProgress(name, done, total);
    },
    onRefused: (refused) => hooks.onRefused(name, refused),
  });
  total = await migration.count();
  return migration;
}

/** Stops the upgrade if the new index rejects documents, because they would be lost. */
function requireNoneRefused({ refused }: CollectionMigration, name: Catalogue): void {
  if (refused === 0) return;
  throw new SetupError(
    `${refused} documents of ${name} are not taken by the new index; nothing was taken away. Mend or delete them in the index that is there, and run this again.`,
  );
}

/** Copies changes until there are none left, or only few under constant writes. */
async function catchUpAll(works: readonly Work[]): Promise<void> {
  for (let round = 1; ; round += 1) {
    const begin = performance.now();
    let isStill = true;
    for (const { migration, name } of works) {
      isStill = (await migration.catchUp()) && isStill;
      requireNoneRefused(migration, name);
    }
    const isShort = performance.now() - begin <= MAX_LAG;
    if (isStill || (round >= ROUNDS.still && isShort) || round >= ROUNDS.short) return;
  }
}

/** Copies late writes to the former indexes until these have ended. */
async function copyLateWrites(works: readonly Work[]): Promise<void> {
  if (works.length === 0) return;
  const end = performance.now() + QUIET.max;
  for (let quiet = performance.now(); performance.now() < end; await sleep(QUIET.pause)) {
    for (const { migration } of works) {
      if (!(await migration.copyLateWrites())) quiet = performance.now();
    }
    if (performance.now() - quiet >= QUIET.min) return;
  }
  throw new SetupError(
    "Somebody still writes to the former index by its own name; end that, and run this again.",
  );
}
