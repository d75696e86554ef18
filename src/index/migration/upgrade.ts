/**
 * Upgrades an index while it is searched: a new index is filled from the former one, follows its changes, and replaces
 * it in one step.
 *
 * Clients write to the former index until the switch, and all their writes are copied. Writes at the moment of the
 * switch become visible once copied: after some tenths of a second if the index is idle, and after about two
 * synchronisation rounds (up to MAX_LAG each, longer on a slow Solr) if it is written constantly.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { SetupError } from "../collections/setup-error.js";
import { completeMarks } from "../loading/marks/complete-marks.js";
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
  /** @param done documents of `total` */
  readonly onProgress: (done: number, total: number) => void;
  readonly onRefused: (refused: Refused) => void;
  /** Called before a new index is created. Throws if, for example, there is no room. */
  readonly beforeFilling: () => Promise<void>;
}

export interface UpgradeResult {
  /** Whether there was anything to do. */
  readonly upgraded: boolean;
  readonly copied: number;
}

/**
 * Upgrades the index from an earlier release. Can be interrupted and run again.
 *
 * @throws SetupError: one sentence that names the obstacle; SolrUnavailable, SolrTimeout
 */
export async function upgrade(
  http: SolrHttp,
  layout: Layout,
  migrate: Migrate,
  hooks: UpgradeHooks,
): Promise<UpgradeResult> {
  const phase = await layout.phase();
  if (phase === "current") return { upgraded: false, copied: 0 };
  if (phase === "outdated") {
    await hooks.beforeFilling();
    await layout.makeTarget();
  }
  const migration = await migrationOf(http, layout, migrate, hooks);
  if (phase === "switched") await migration.resume();
  else {
    await migration.fill();
    requireNoneRefused(migration);
    await catchUp(migration);
    // If a killed command requested the switch, it may have completed in the meantime.
    if ((await layout.phase()) !== "filling") {
      throw new SetupError("Somebody else has switched the index meanwhile; run this again.");
    }
    await layout.switchOver();
    migration.relocate(await placesOf(layout));
    hooks.report("The new index is the one that is searched now.");
  }
  await copyLateWrites(migration);
  requireNoneRefused(migration);
  // The former release writes documents without marks.
  await completeMarks(http);
  await layout.finish();
  return { upgraded: true, copied: migration.copied };
}

const placesOf = async (layout: Layout) => ({
  former: await layout.former(),
  formerLatest: await layout.formerLatest(),
  target: await layout.target(),
});

async function migrationOf(
  http: SolrHttp,
  layout: Layout,
  migrate: Migrate,
  hooks: UpgradeHooks,
): Promise<CollectionMigration> {
  let done = 0;
  let total = 0;
  const migration = new CollectionMigration(http, {
    ...(await placesOf(layout)),
    migrate,
    onCopied: (count) => {
      done += count;
      hooks.onProgress(done, total);
    },
    onRefused: hooks.onRefused,
  });
  total = await migration.count();
  return migration;
}

/** Stops the upgrade if the new index rejects documents, because they would be lost. */
function requireNoneRefused({ refused }: CollectionMigration): void {
  if (refused === 0) return;
  throw new SetupError(
    `${refused} documents are not taken by the new index; nothing was taken away. Mend or delete them in the index that is there, and run this again.`,
  );
}

/** Copies changes until there are none left, or only few under constant writes. */
async function catchUp(migration: CollectionMigration): Promise<void> {
  for (let round = 1; ; round += 1) {
    const begin = performance.now();
    const isStill = await migration.catchUp();
    requireNoneRefused(migration);
    const isShort = performance.now() - begin <= MAX_LAG;
    if (isStill || (round >= ROUNDS.still && isShort) || round >= ROUNDS.short) return;
  }
}

/** Copies late writes to the former index until these have ended. */
async function copyLateWrites(migration: CollectionMigration): Promise<void> {
  const end = performance.now() + QUIET.max;
  for (let quiet = performance.now(); performance.now() < end; await sleep(QUIET.pause)) {
    if (!(await migration.copyLateWrites())) quiet = performance.now();
    if (performance.now() - quiet >= QUIET.min) return;
  }
  throw new SetupError(
    "Somebody still writes to the former index by its own name; end that, and run this again.",
  );
}
