/**
 * The layout of an upgrade in a single Solr with cores. The new index is the core `files_upgrade`. It is swapped with
 * `files`, so that every request finds one of them. The former core is then unloaded, which keeps its folder. (A rename
 * leaves wrong names in Solr 9.10.)
 */
import { randomBytes } from "node:crypto";
import { AdminRefused, coresOf, type SolrAdmin } from "../collections/admin.js";
import { inspectCollection } from "../collections/collections.js";
import { FILES, FORMER_LATEST } from "../collections/configset.js";
import { SetupError } from "../collections/setup-error.js";
import { type IndexPlace, type KeptIndexes, type Layout, type Phase, UPGRADE } from "./layout.js";

/** Parameters of CREATE for a new core, which depend on where Solr has its configsets. */
export type MakeCore = (name: string) => Promise<Readonly<Record<string, string>>>;

/** Differences between the embedded Solr, whose folders are accessible, and another. */
export interface CoreFolders {
  readonly makeCore: MakeCore;
  /** The error if Solr does not create the core. */
  readonly refused: (reason: string) => Error;
  readonly kept: KeptIndexes;
}

export class CoreLayout implements Layout {
  readonly #admin: SolrAdmin;
  readonly #makeCore: MakeCore;
  readonly #refused: (reason: string) => Error;
  readonly kept: KeptIndexes;

  constructor(admin: SolrAdmin, { makeCore, refused, kept }: CoreFolders) {
    this.#admin = admin;
    this.#makeCore = makeCore;
    this.#refused = refused;
    this.kept = kept;
  }

  async phase(): Promise<Phase> {
    const live = await this.#isOutdated(FILES);
    if (live === undefined) throw new SetupError(`Solr has no core ${FILES}.`);
    const beside = await this.#isOutdated(UPGRADE);
    if (beside === undefined) return live ? "outdated" : "current";
    if (live !== beside) return live ? "filling" : "switched";
    throw new SetupError(
      `The core ${UPGRADE} is there, and it is not of an upgrade of ${FILES}; rename or delete it, and run this again.`,
    );
  }

  /** Undefined if there is no such core. */
  async #isOutdated(core: string): Promise<boolean | undefined> {
    if ((await coresOf(this.#admin))[core] === undefined) return undefined;
    return (await inspectCollection(this.#admin.endpoint, core))?.isOutdated;
  }

  async makeTarget(): Promise<void> {
    // The seed makes the core's entity tags unique.
    const seed = randomBytes(9).toString("hex");
    const parameters = { action: "CREATE", name: UPGRADE, "property.etag.seed": seed };
    try {
      await this.#admin.ask("admin/cores", { ...parameters, ...(await this.#makeCore(UPGRADE)) });
    } catch (error) {
      throw error instanceof AdminRefused ? this.#refused(error.message) : error;
    }
  }

  async former(): Promise<IndexPlace> {
    return place((await this.phase()) === "switched" ? UPGRADE : FILES);
  }

  async formerLatest(): Promise<IndexPlace | undefined> {
    const cores = await coresOf(this.#admin);
    return cores[FORMER_LATEST] === undefined ? undefined : place(FORMER_LATEST);
  }

  async target(): Promise<IndexPlace> {
    return place((await this.phase()) === "switched" ? FILES : UPGRADE);
  }

  async switchOver(): Promise<void> {
    await this.#admin.command("admin/cores", { action: "SWAP", core: FILES, other: UPGRADE });
  }

  async finish(): Promise<string> {
    const folder = (await coresOf(this.#admin))[UPGRADE]?.instanceDir ?? UPGRADE;
    await this.#admin.command("admin/cores", { action: "UNLOAD", core: UPGRADE });
    return folder;
  }
}

const place = (core: string): IndexPlace => ({ name: core, parts: [core] });
