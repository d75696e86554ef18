// Filled in by scripts/build-web.mjs.

/** Names of the worker files. */
declare const WORKER_FILES: Readonly<Record<string, string>>;

/** Name of the style sheet of the lazily loaded views. */
declare const VIEWS_STYLE: string;

/** Loads the component of each view; scripts/build-web.mjs makes it of web/src/shell/views.ts. */
declare module "views:loaders" {
  type Component = import("preact").ComponentType;
  type ViewName = import("./shell/views.js").ViewName;

  export const LOADERS: Readonly<Record<ViewName, () => Promise<Component>>>;
}
