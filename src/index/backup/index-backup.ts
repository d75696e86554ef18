/** Backs up and restores collections with Solr's own tools: core by core, or by the Collections API of SolrCloud. */
import { coresOf, countDocuments, type SolrAdmin } from "../collections/admin.js";
import { clusterOf, realName } from "../collections/cluster.js";
import { COLLECTIONS } from "../collections/configset.js";
import { SetupError } from "../collections/setup-error.js";
import { handlerPath } from "../transport/endpoint.js";
import type { Manifest } from "./manifest.js";
import { poll, refusal, runTask } from "./solr-task.js";

export type Collections = Manifest["collections"];

interface IndexBackup {
  /** The existing collections: real names and numbers of documents. Commits first. */
  inspect(): Promise<Collections>;
  /**
   * Backs up what is committed when it is called.
   *
   * @param location a folder as Solr sees it
   * @returns the collections, with a second count of those that were written to meanwhile: the backup lies between the two
   */
  backUp(collections: Collections, location: string): Promise<Collections>;
  /** Replaces the existing collections. */
  restore(collections: Collections, location: string): Promise<void>;
}

export const indexBackup = (admin: SolrAdmin, cloud: boolean): IndexBackup =>
  cloud ? new CloudBackup(admin) : new CoreBackup(admin);

/** Commits, so that a backup contains everything acknowledged so far, and counts the documents. */
async function commitAndCount(admin: SolrAdmin, name: string): Promise<number> {
  await admin.ask(handlerPath(name, "update"), { commit: "true" });
  return countDocuments(admin, name);
}

async function countAgain(admin: SolrAdmin, collections: Collections): Promise<Collections> {
  const counted = Object.entries(collections).map(async ([name, before]) => {
    const documentsAfter = await commitAndCount(admin, before.real);
    return [name, documentsAfter === before.documents ? before : { ...before, documentsAfter }];
  });
  return Object.fromEntries(await Promise.all(counted));
}

interface RestoreStatus {
  readonly restorestatus?: { readonly status?: string; readonly exception?: string };
}

class CoreBackup implements IndexBackup {
  constructor(readonly admin: SolrAdmin) {}

  async inspect(): Promise<Collections> {
    const cores = await coresOf(this.admin);
    const found: Collections = {};
    for (const name of COLLECTIONS) {
      if (cores[name] === undefined) continue;
      found[name] = { real: name, documents: await commitAndCount(this.admin, name) };
    }
    return found;
  }

  async backUp(collections: Collections, location: string): Promise<Collections> {
    const action = { action: "BACKUPCORE", incremental: "false", location };
    // In parallel, so that all cores are backed up at about the same commit.
    await Promise.all(
      Object.keys(collections).map((name) =>
        runTask(this.admin, "cores", { ...action, core: name, name }),
      ),
    );
    return countAgain(this.admin, collections);
  }

  async restore(collections: Collections, location: string): Promise<void> {
    const cores = await coresOf(this.admin);
    const missing = Object.keys(collections).filter((name) => cores[name] === undefined);
    if (missing.length > 0) {
      throw new SetupError(
        `Solr has no ${missing.join(" and ")}. Create it with \`climate-nextgen solr setup\`, then run this again.`,
      );
    }
    for (const name of Object.keys(collections)) {
      await this.#restore(name, location);
      // Reload, as the update log still refers to the former index.
      await this.admin.command("admin/cores", { action: "RELOAD", core: name });
    }
  }

  async #restore(name: string, location: string): Promise<void> {
    const path = handlerPath(name, "replication");
    await this.admin.ask(path, { command: "restore", name, location });
    await poll(async () => {
      const { restorestatus } = await this.admin.ask<RestoreStatus>(path, {
        command: "restorestatus",
        "json.nl": "map",
      });
      const { status, exception } = restorestatus ?? {};
      if (status === "failed") {
        throw refusal(this.admin, { action: `restore ${name}`, location }, exception ?? status);
      }
      return status === "success" ? true : undefined;
    });
  }
}

class CloudBackup implements IndexBackup {
  constructor(readonly admin: SolrAdmin) {}

  async inspect(): Promise<Collections> {
    const cluster = await clusterOf(this.admin);
    const found: Collections = {};
    for (const name of COLLECTIONS) {
      const real = realName(cluster, name);
      const status = cluster.collections[real];
      if (status === undefined) continue;
      const documents = await commitAndCount(this.admin, real);
      found[name] = { real, documents, replicas: Number(status.replicationFactor ?? 1) };
    }
    return found;
  }

  async backUp(collections: Collections, location: string): Promise<Collections> {
    await Promise.all(
      Object.entries(collections).map(([name, { real: collection }]) =>
        runTask(this.admin, "collections", { action: "BACKUP", collection, name, location }),
      ),
    );
    return countAgain(this.admin, collections);
  }

  async restore(collections: Collections, location: string): Promise<void> {
    for (const [name, { real }] of Object.entries(collections)) {
      const cluster = await clusterOf(this.admin);
      // Solr does not delete a collection that an alias points to.
      const inTheWay = [cluster.aliases?.[name], real, name];
      if (cluster.aliases?.[name] !== undefined) {
        await this.#ask({ action: "DELETEALIAS", name });
      }
      for (const former of new Set(inTheWay)) {
        if (former !== undefined && cluster.collections[former] !== undefined) {
          await this.#ask({ action: "DELETE", name: former });
        }
      }
      await runTask(this.admin, "collections", {
        action: "RESTORE",
        collection: real,
        name,
        location,
      });
      if (real !== name) await this.#ask({ action: "CREATEALIAS", name, collections: real });
    }
  }

  #ask(parameters: Readonly<Record<string, string>>): Promise<void> {
    return this.admin.command("admin/collections", parameters);
  }
}
