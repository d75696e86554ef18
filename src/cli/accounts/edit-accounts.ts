/** The accounts that a command is about: files of the data folder, or what instances share in Solr. */
import { join } from "node:path";
import {
  type Accounts,
  fileAccounts,
  type SharedAccounts,
  sharedAccounts,
} from "../../identity/accounts/accounts.js";
import { reportToStderr } from "../../identity/accounts/records.js";
import { inspectCollections } from "../../index/collections/collections.js";
import { makeDataDir } from "../../index/collections/data-dir-lock.js";
import { SolrState } from "../../index/state/solr-state-store.js";
import { StateCopy } from "../../index/state/state-copy.js";
import type { SolrEndpoint } from "../../index/transport/endpoint.js";
import { SolrHttp } from "../../index/transport/http.js";
import { waitForLock } from "../../platform/processes/process-lock.js";
import type { Config } from "../../server/settings/config.js";
import { orSetupError } from "../service/with-solr.js";

interface OpenedAccounts extends Accounts {
  /** Accounts shared by several instances, if there are any. */
  readonly shared?: SharedAccounts;
  /** Changes them, one command at a time where they are files. */
  edit<T>(change: () => Promise<T>): Promise<T>;
  /** Makes all of them known, to be listed. */
  load(): Promise<void>;
}

/** Does something about accounts. @throws SetupError where Solr does not answer */
export async function withAccounts<T>(
  config: Config,
  work: (accounts: OpenedAccounts) => Promise<T>,
): Promise<T> {
  const { outside } = config.solr;
  if (outside === undefined) return work(inFiles(config));
  return orSetupError(
    inSolr(config, outside).then(work),
    (reason) =>
      `Solr did not answer as it should (${reason}); run the same again to be sure that it is done.`,
  );
}

function inFiles(config: Config): OpenedAccounts {
  return {
    ...fileAccounts(config.dataDir, reportToStderr),
    edit: (change) => editAccounts(config, change),
    load: async () => {},
  };
}

/** Runs a change of the data folder's accounts alone. */
export async function editAccounts<T>(config: Config, change: () => Promise<T>): Promise<T> {
  await makeDataDir(config.dataDir);
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
  const shared = sharedAccounts(copy, dataDir, auth.shared ?? {}, {
    progress: reportToStderr,
    report: reportToStderr,
  });
  return {
    ...shared,
    shared,
    edit: async (change) => {
      const result = await change();
      // At once, and not when Solr gets to it: instances are to know soon.
      await state.makeVisible();
      return result;
    },
    load: () => copy.renew(),
  };
}
