// Filled in by scripts/build-web.mjs.

/** Names of the worker files. */
declare const WORKER_FILES: Readonly<Record<string, string>>;

/** Name of the style sheet of the lazily loaded views. */
declare const VIEWS_STYLE: string;
