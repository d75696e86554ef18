/** Milliseconds in which a second reload would do no better than the first. */
const SOON = 30_000;
const KEPT_AS = "climate-nextgen reloaded";

/** Loads the page anew, which loses nothing, as its state is its address; not again and again. */
export function reloadOnce(): void {
  try {
    if (Date.now() - Number(sessionStorage.getItem(KEPT_AS) ?? 0) < SOON) return;
    sessionStorage.setItem(KEPT_AS, String(Date.now()));
  } catch {
    // Where nothing is kept, nothing would end a row of reloads.
    return;
  }
  location.reload();
}
