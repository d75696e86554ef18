/** Opens the accounts for a command: files in the data folder, or entries that instances share in Solr. */
import { join } from "node:path";
import {
  type Accounts,
  fileAccounts,
  type SharedAccounts,
  sharedAccounts,
} from "../../identity/accounts/accounts.js";
import { tell } from "../../identity/accounts/json-file.js";
import { inspectCollections } from "../../index/collections/collections.js";
import { SetupError } from "../../index/collections/setup-error.js";
import { SolrState } from "../../index/state/solr-state-store.js";
import { StateCopy } from "../../index/state/state-copy.js";
import type { SolrEndpoint } from "../../index/transport/endpoint.js";
import { SolrHttp } from "../../index/transport/http.js";
import { DomainError } from "../../platform/errors.js";
import { waitForLock } from "../../platform/process-lock.js";
import type { Config } from "../../server/config.js";

export interface OpenedAccounts extends Accounts {
  /** Only if the accounts are in Solr. */
  readonly shared?: SharedAccounts;
  /** Runs a change. With files, one command at a time. */
  edit<T>(change: () => Promise<T>): Promise<T>;
  /** Loads all accounts, so that they can be listed. */
  load(): Promise<void>;
}

/** Runs `work` on the accounts. @throws SetupError if Solr does not answer; and what `work` throws */
export async function withAccounts<T>(
  config: Config,
  work: (accounts: OpenedAccounts) => Promise<T>,
): Promise<T> {
  const { outside } = config.solr;
  if (outside === undefined) return work(inFiles(config));
  try {
    return await work(await inSolr(config, outside));
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new SetupError(
      `Solr did not answer as expected (${error.message}). Run the same command again to be sure that it is done.`,
      { cause: error },
    );
  }
}

function inFiles(config: Config): OpenedAccounts {
  return {
    ...fileAccounts(config.dataDir, tell),
    edit: (change) => editAccounts(config, change),
    load: async () => {},
  };
}

/** Runs a change of the data folder's accounts under their lock. */
export async function editAccounts<T>(config: Config, change: () => Promise<T>): Promise<T> {
  const lock = await waitForLock(join(config.dataDir, "accounts.lock"));
  try {
    return await change();
  } finally {
    await lock.release();
  }
}

async function inSolr(config: Config, endpoint: SolrEndpoint): Promise<OpenedAccounts> {
  await inspectCollections(endpoint, ["state"]);
  const state = new SolrState(new SolrHttp(endpoint, config.solr.timeoutMs));
  const copy = new StateCopy(state);
  const { dataDir, auth } = config;
  const shared = sharedAccounts(copy, dataDir, auth.shared ?? {}, { say: tell, report: tell });
  await shared.takeOver();
  return {
    ...shared,
    shared,
    edit: async (change) => {
      const result = await change();
      // Instances see the change at once, without waiting for Solr's next automatic commit.
      await state.show();
      return result;
    },
    load: () => copy.renew(),
  };
}
