/** Probes the outside identity provider and the signing keys. */
import { DAY } from "../../../domain/extent/durations.js";
import type { KeyInspection, KeyStore } from "../../../identity/keys/keys.js";
import { askProvider } from "../../../identity/outside/outside-issuer.js";
import { UserError } from "../../../platform/errors.js";
import { type Finding, type Probe, reasonOf } from "./probe.js";

/** Age of a signing key whose rotation was forgotten. */
const OLD = 400 * DAY;

/** @param address of the discovery document */
export function provider(address: string): Probe {
  const advice =
    "Sign-ins with accounts of this service go on. Look at the provider, the network to it, and OIDC_DISCOVERY_URL.";
  const failed = (reason: string): Finding => ({
    state: "failed",
    says: "The identity provider does not answer as it should.",
    detail: `${address}: ${reason}`,
    advice,
  });
  return {
    name: "identity-provider",
    isPublic: true,
    ttl: 30_000,
    timeout: 5000,
    late: failed("no answer within 5 s"),
    inspect: async (signal) => {
      try {
        const { described, keys } = await askProvider(address, signal);
        const { length } = keys.keys;
        if (length === 0) return failed("it shows no keys");
        const detail = `${described.issuer}, ${length} ${length === 1 ? "key" : "keys"}`;
        return { state: "ok", says: "The identity provider answers.", detail };
      } catch (error) {
        return failed(reasonOf(error));
      }
    },
  };
}

export function keys(store: KeyStore): Probe {
  return {
    name: "keys",
    isPublic: false,
    ttl: 30_000,
    timeout: 5000,
    late: { state: "unknown", says: "The signing keys could not be asked for." },
    inspect: async () => {
      try {
        return keysFinding(await store.inspect(), Date.now());
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        return { state: "failed", says: "The signing keys cannot be used.", detail: error.message };
      }
    },
  };
}

function keysFinding(
  { created, canSign, sealedUnderOtherKey }: KeyInspection,
  now: number,
): Finding {
  const [newest] = created;
  if (newest === undefined) {
    const advice = "The first start of the service makes one; later, restore a backup.";
    return { state: "failed", says: "There is no key to sign tokens with.", advice };
  }
  const age = Math.floor((now - newest) / DAY);
  const where = sealedUnderOtherKey === undefined ? "in files" : "sealed, in Solr";
  const detail = `${created.length} ${created.length === 1 ? "key" : "keys"} ${where}, the newest ${Math.max(age, 0)} days old`;
  if (!canSign) {
    const advice = "Set STATE_KEY to the key that they were sealed under.";
    return { state: "failed", says: "The signing key cannot be opened.", detail, advice };
  }
  if (newest > now + 60_000) {
    const advice = "The clock of the machine that made it was wrong, or this one's is.";
    return { state: "warning", says: "The signing key is of the future.", detail, advice };
  }
  if (sealedUnderOtherKey) {
    const says = `${sealedUnderOtherKey} signing keys are sealed under a former STATE_KEY.`;
    return { state: "warning", says, detail, advice: "Run `climate-nextgen keys seal`." };
  }
  if (now - newest > OLD) {
    const advice = "Run `climate-nextgen keys rotate`; shared addresses end with it.";
    return { state: "warning", says: "The signing key is older than a year.", detail, advice };
  }
  return { state: "ok", says: "Tokens can be signed.", detail };
}
