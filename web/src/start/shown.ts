/** Whether the first screen is shown where nothing is searched. Kept in this browser. */
import { signal } from "@preact/signals";

const STORAGE_KEY = "climate-nextgen start hidden";

function isHidden(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== null;
  } catch {
    return false;
  }
}

export const startShown = signal(!isHidden());

export function hideStart(): void {
  startShown.value = false;
  try {
    localStorage.setItem(STORAGE_KEY, "1");
  } catch {
    // Without storage it comes back with the next visit.
  }
}

export function showStart(): void {
  startShown.value = true;
  try {
    localStorage.removeItem(STORAGE_KEY);
  } catch {
    // As above.
  }
}
