/** The probes of the service's parts, for `/status`. */
import type { KeyStore } from "../../identity/keys/keys.js";
import type { Storage } from "../../index/collections/storage-probe.js";
import type { Solr } from "../../index/solr.js";
import { dataRoots, room } from "../monitoring/status/disks.js";
import type { Probe } from "../monitoring/status/probe.js";
import { memory, searchProbes } from "../monitoring/status/search.js";
import { address, software } from "../monitoring/status/set-up.js";
import { keys, provider } from "../monitoring/status/sign-in.js";
import type { Config } from "../settings/config.js";

/** All probes, in the order in which they are reported. */
export function probesOf(
  config: Config,
  solr: Solr,
  storage: Storage,
  keyStore: KeyStore,
): readonly Probe[] {
  const { outside } = config.solr;
  const { outside: identity } = config.auth;
  return [
    ...searchProbes(solr, outside === undefined),
    memory(storage),
    ...dataRoots(config.dataRoots),
    room(config.dataDir, outside && solr.http.endpoint),
    ...(identity ? [provider(identity.discoveryUrl)] : []),
    keys(keyStore),
    address(config.baseUrl, config.host),
    software(config),
  ];
}
