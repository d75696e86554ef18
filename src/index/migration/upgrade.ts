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
import { Lifting } from "./collection-migration.js";
import type { Lift, Refused } from "./copy-documents.js";
import type { Layout } from "./layout.js";

/** Maximum milliseconds that the new index may lag behind when it replaces one under constant writes. */
const MAX_LAG = 1500;
/** Rounds to wait for a moment without changes, and for one with few. */
const ROUNDS = { still: 3, short: 10 };
/** Milliseconds without changes after which writes to the former index have ended, and the limit for waiting. */
const QUIET = { enough: 3000, most: 60_000, pause: 100 };

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
  readonly lifting: Lifting;
}

/**
 * Upgrades the catalogue's collections from an earlier release. Can be interrupted and run again.
 *
 * @throws SetupError: one sentence that names the obstacle; SolrUnavailable, SolrTimeout
 */
export async function upgrade(
  http: SolrHttp,
  layout: Layout,
  lift: Lift,
  hooks: UpgradeHooks,
): Promise<UpgradeResult> {
  const phases = await Promise.all(CATALOGUE.map((name) => layout.phase(name)));
  const at = (...wanted: readonly string[]): Catalogue[] =>
    CATALOGUE.filter((_, i) => wanted.includes(phases[i] ?? ""));
  if (at("outdated").length > 0) await hooks.beforeFilling();
  for (const name of at("outdated")) await layout.makeTarget(name);
  const works: Work[] = [];
  for (const name of at("outdated", "filling")) {
    const lifting = await liftingOf(http, layout, lift, hooks, name);
    await lifting.fill();
    refuseRefused(lifting, name);
    works.push({ name, lifting });
  }
  if (works.length > 0) {
    await approach(works);
    for (const { name } of works) await switchOver(layout, name);
    for (const { name, lifting } of works) lifting.relocate(await placesOf(layout, name));
    hooks.report("The new index is the one that is searched now.");
  }
  for (const name of at("switched")) {
    const lifting = await liftingOf(http, layout, lift, hooks, name);
    await lifting.resume();
    works.push({ name, lifting });
  }
  await takeLate(works);
  const kept: string[] = [];
  for (const { name, lifting } of works) {
    refuseRefused(lifting, name);
    kept.push(await layout.finish(name));
  }
  const copied = works.reduce((sum, { lifting }) => sum + lifting.copied, 0);
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

async function liftingOf(
  http: SolrHttp,
  layout: Layout,
  lift: Lift,
  hooks: UpgradeHooks,
  name: Catalogue,
): Promise<Lifting> {
  let done = 0;
  let total = 0;
  const lifting = new Lifting(http, {
    ...(await placesOf(layout, name)),
    lift,
    onCopied: (count) => {
      done += count;
      hooks.onProgress(name, done, total);
    },
    onRefused: (refused) => hooks.onRefused(name, refused),
  });
  total = await lifting.count();
  return lifting;
}

/** Stops the upgrade if the new index rejects documents, because they would be lost. */
function refuseRefused({ refused }: Lifting, name: Catalogue): void {
  if (refused === 0) return;
  throw new SetupError(
    `${refused} documents of ${name} are not taken by the new index; nothing was taken away. Mend or delete them in the index that is there, and run this again.`,
  );
}

/** Copies changes until there are none left, or only few under constant writes. */
async function approach(works: readonly Work[]): Promise<void> {
  for (let round = 1; ; round += 1) {
    const begin = performance.now();
    let isStill = true;
    for (const { lifting, name } of works) {
      isStill = (await lifting.catchUp()) && isStill;
      refuseRefused(lifting, name);
    }
    const isShort = performance.now() - begin <= MAX_LAG;
    if (isStill || (round >= ROUNDS.still && isShort) || round >= ROUNDS.short) return;
  }
}

/** Copies late writes to the former indexes until these have ended. */
async function takeLate(works: readonly Work[]): Promise<void> {
  if (works.length === 0) return;
  const end = performance.now() + QUIET.most;
  for (let quiet = performance.now(); performance.now() < end; await sleep(QUIET.pause)) {
    for (const { lifting } of works) {
      if (!(await lifting.takeLate())) quiet = performance.now();
    }
    if (performance.now() - quiet >= QUIET.enough) return;
  }
  throw new SetupError(
    "Somebody still writes to the former index by its own name; end that, and run this again.",
  );
}
