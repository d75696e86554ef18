/** Explains why a Solr cannot be reached, for the person who set its address. */

import { SetupError } from "../collections/setup-error.js";
import { SolrUnavailable } from "../errors.js";
import { addressesOf, type SolrEndpoint } from "./endpoint.js";

const TRUST = "set NODE_EXTRA_CA_CERTS to a PEM file of the authority that signed it";

/** TLS errors that do not go away by themselves, by codes of OpenSSL and Node (node:tls, "X509 certificate error codes"). */
const CERTIFICATES: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "has a certificate that has expired",
  CERT_NOT_YET_VALID: "has a certificate that is not valid yet",
  CERT_REVOKED: "has a certificate that was revoked",
  ERR_TLS_CERT_ALTNAME_INVALID: "has a certificate for another name",
  SELF_SIGNED_CERT_IN_CHAIN: `has a certificate of an authority that is not trusted; ${TRUST}`,
  UNABLE_TO_GET_ISSUER_CERT: `has a certificate of an authority that is not trusted; ${TRUST}`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: `has a certificate of an authority that is not trusted; ${TRUST}`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `has a certificate of an authority that is not trusted; ${TRUST}`,
  DEPTH_ZERO_SELF_SIGNED_CERT: `has a self-signed certificate; ${TRUST.replace("the authority that signed it", "it")}`,
  EPROTO: "does not use TLS; its address may need http instead of https",
  ERR_SSL_WRONG_VERSION_NUMBER: "does not use TLS; its address may need http instead of https",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "does not use TLS; its address may need http instead of https",
};

/** Depth of nested causes that is searched. */
const MAX_CAUSES = 5;

/** A SetupError if the certificate or TLS is wrong, which a person must correct; else SolrUnavailable. */
export function unreachable(endpoint: SolrEndpoint, cause: unknown): Error {
  const at = `Solr at ${addressesOf(endpoint)}`;
  let inner = cause;
  for (let depth = 0; depth < MAX_CAUSES && inner instanceof Error; depth += 1) {
    const reason = CERTIFICATES[String((inner as NodeJS.ErrnoException).code)];
    if (reason !== undefined) return new SetupError(`${at} ${reason}.`);
    inner = inner.cause;
  }
  return new SolrUnavailable(`${at} cannot be reached; start it, or set SOLR_URL to its address`, {
    cause,
  });
}
