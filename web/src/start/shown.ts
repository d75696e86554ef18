/** Whether the first screen is shown where nothing is searched. Kept in this browser, or else until the next visit. */
import { signal } from "@preact/signals";
import { ifAllowed } from "../service/allowed.js";

const STORAGE_KEY = "climate-nextgen start hidden";

export const startShown = signal(
  (ifAllowed(() => localStorage.getItem(STORAGE_KEY)) ?? null) === null,
);

export function hideStart(): void {
  startShown.value = false;
  ifAllowed(() => localStorage.setItem(STORAGE_KEY, "1"));
}

export function showStart(): void {
  startShown.value = true;
  ifAllowed(() => localStorage.removeItem(STORAGE_KEY));
}
