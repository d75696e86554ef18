/** The environment of child processes: that of this process without its secrets. */
const hidden = new Set<string>();

/** Keeps variables from all child processes. The settings that are secret are marked in src/server/settings/environment.ts. */
export function hideFromChildren(names: readonly string[]): void {
  for (const name of names) hidden.add(name);
}

/** The environment for child processes: all variables except secrets. */
export function scrubbedEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !hidden.has(name)));
}
