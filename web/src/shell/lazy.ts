/** Loads what the first view does not need. */

let styles: Promise<void> | undefined;

/** Adds the style sheet of the views that are loaded lazily. @throws if it cannot be loaded; the next call tries again */
function loadStyles(): Promise<void> {
  styles ??= new Promise<void>((resolve, reject) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = new URL(VIEWS_STYLE, import.meta.url).href;
    link.onload = () => resolve();
    link.onerror = () => {
      styles = undefined;
      link.remove();
      reject(new Error("The style sheet cannot be loaded."));
    };
    document.head.append(link);
  });
  return styles;
}

/** Waits for a module and the styles of the views, so that nothing is drawn without its style. */
export async function withStyles<T>(module: Promise<T>): Promise<T> {
  const [loaded] = await Promise.all([module, loadStyles()]);
  return loaded;
}
