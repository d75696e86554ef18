/** The accounts that a command is about: files of the data folder, or what instances share in Solr. */
import { join } from "node:path";
import {
  type Accounts,
  fileAccounts,
  type SharedAccounts,
  sharedAccounts,
} from "../auth/accounts.js";
import { tell } from "../auth/json-file.js";
import { StateCopy } from "../auth/state-copy.js";
import type { Config } from "../config.js";
import { DomainError } from "../errors.js";
import { waitForLock } from "../process-lock.js";
import { inspectCollections } from "../solr/collections.js";
import type { SolrEndpoint } from "../solr/endpoint.js";
import { SolrHttp } from "../solr/http.js";
import { SetupError } from "../solr/setup-error.js";
import { SolrState } from "../solr/state.js";

export interface OpenedAccounts extends Accounts {
  /** What is shared, where anything is. */
  readonly shared?: SharedAccounts;
  /** Changes them, one command at a time where they are files. */
  edit<T>(change: () => Promise<T>): Promise<T>;
  /** Makes all of them known, to be listed. */
  load(): Promise<void>;
}

/**
 * Does something about accounts.
 *
 * @throws SetupError where Solr does not answer; and what `work` throws
 */
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
      `Solr did not answer as it should (${error.message}); run the same again to be sure that it is done.`,
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

/** Runs a change of the data folder's accounts alone. */
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
      // At once, and not when Solr gets to it: instances are to know soon.
      await state.show();
      return result;
    },
    load: () => copy.renew(),
  };
}
