/** The environment for other programs: without what is nobody's business but this process's. */

/** Settings that are secrets; see .env.example. */
const SECRETS = ["STATE_KEY", "SOLR_PASSWORD", "SOLR_URL", "OIDC_CLIENT_SECRET", "AUDIT_KEY"];

/** What a program that is started may see of the environment. */
export function openEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !SECRETS.includes(name)));
}
