/**
 * Prints a security.json for Solr 9 with two accounts: one with the least that the service needs, and one that may create,
 * upgrade, back up and restore collections. Both passwords come from the environment:
 *
 *   SOLR_PASSWORD=... SOLR_ADMIN_PASSWORD=... node solr-security.mjs > security.json
 *   bin/solr zk cp file:security.json zk:/security.json -z ZOOKEEPER     (one Solr: into its home, and start it anew)
 */
import { createHash, randomBytes } from "node:crypto";

/** Solr's hash of a password (org.apache.solr.security.Sha256AuthenticationProvider). @param {string} name */
function credential(name) {
  const password = process.env[name];
  if (!password || password.length < 12)
    throw `${name} must be a password of 12 characters or more.`;
  const salt = randomBytes(32);
  const hash = (/** @type {Buffer} */ bytes) => createHash("sha256").update(bytes).digest();
  const hashed = hash(hash(Buffer.concat([salt, Buffer.from(password)])));
  return `${hashed.toString("base64")} ${salt.toString("base64")}`;
}

try {
  const security = {
    authentication: {
      class: "solr.BasicAuthPlugin",
      blockUnknown: true,
      credentials: {
        climate: credential("SOLR_PASSWORD"),
        "climate-admin": credential("SOLR_ADMIN_PASSWORD"),
      },
    },
    authorization: {
      class: "solr.RuleBasedAuthorizationPlugin",
      "user-role": { climate: "service", "climate-admin": "admin" },
      // The first match counts. If others use the same Solr, add a "collection" to read and update.
      permissions: [
        { name: "read", role: ["service", "admin"] },
        { name: "update", role: ["service", "admin"] },
        { name: "all", role: "admin" },
      ],
    },
  };
  console.log(JSON.stringify(security, null, 2));
} catch (error) {
  console.error(String(error));
  process.exitCode = 1;
}
