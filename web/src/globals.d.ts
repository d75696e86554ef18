/** Names of the worker files, filled in by scripts/build-web.mjs. */
declare const WORKER_FILES: Readonly<Record<string, string>>;
