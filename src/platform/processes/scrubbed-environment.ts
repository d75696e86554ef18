/** Settings that are secret; see .env.example. */
const SECRETS = ["STATE_KEY", "SOLR_PASSWORD", "SOLR_URL", "OIDC_CLIENT_SECRET", "AUDIT_KEY"];

/** The environment for child processes: all variables except secrets. */
export function scrubbedEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !SECRETS.includes(name)));
}
