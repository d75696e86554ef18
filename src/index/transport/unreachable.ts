/** Why a Solr cannot be reached, for whoever set its address. */

import { SetupError } from "../collections/setup-error.js";
import { SolrUnavailable } from "../errors.js";
import { addressesOf, type SolrEndpoint } from "./endpoint.js";

const TRUST = "set NODE_EXTRA_CA_CERTS to a PEM file of the authority that signed it";

/** What of TLS waiting does not mend, by the codes of OpenSSL and of Node (node:tls, "X509 certificate error codes"). */
const CERTIFICATES: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "has a certificate that has expired",
  CERT_NOT_YET_VALID: "has a certificate that is not valid yet",
  CERT_REVOKED: "has a certificate that was revoked",
  ERR_TLS_CERT_ALTNAME_INVALID: "has a certificate for another name",
  SELF_SIGNED_CERT_IN_CHAIN: `has a certificate of an authority that is not trusted; ${TRUST}`,
  UNABLE_TO_GET_ISSUER_CERT: `has a certificate of an authority that is not trusted; ${TRUST}`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: `has a certificate of an authority that is not trusted; ${TRUST}`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `has a certificate of an authority that is not trusted; ${TRUST}`,
  DEPTH_ZERO_SELF_SIGNED_CERT: `has a certificate that nobody has signed but itself; ${TRUST.replace("the authority that signed it", "it")}`,
  EPROTO: "does not speak TLS; is its address one of http?",
  ERR_SSL_WRONG_VERSION_NUMBER: "does not speak TLS; is its address one of http?",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "does not speak TLS; is its address one of http?",
};

/** How deep a cause may lie inside of others. */
const MAX_CAUSES = 5;

/** SetupError where its certificate is why, which somebody has to mend; else SolrUnavailable. */
export function unreachable(endpoint: SolrEndpoint, cause: unknown): Error {
  const at = `Solr at ${addressesOf(endpoint)}`;
  let inner = cause;
  for (let depth = 0; depth < MAX_CAUSES && inner instanceof Error; depth += 1) {
    const reason = CERTIFICATES[String((inner as NodeJS.ErrnoException).code)];
    if (reason !== undefined) return new SetupError(`${at} ${reason}.`);
    inner = inner.cause;
  }
  return new SolrUnavailable(`${at} cannot be reached`, { cause });
}
