/** The names of the workers' files, which scripts/build-web.mjs fills in. */
declare const WORKER_FILES: Readonly<Record<string, string>>;
