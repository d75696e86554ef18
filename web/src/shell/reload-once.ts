/** Milliseconds within which a second reload would not help. */
const SOON = 30_000;
const KEPT_AS = "climate-nextgen reloaded";

/** Reloads the page, but not repeatedly. Nothing is lost: its state is its address. */
export function reloadOnce(): void {
  try {
    if (Date.now() - Number(sessionStorage.getItem(KEPT_AS) ?? 0) < SOON) return;
    sessionStorage.setItem(KEPT_AS, String(Date.now()));
  } catch {
    // Without storage, nothing would stop a reload loop.
    return;
  }
  location.reload();
}
