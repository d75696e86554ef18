/** Messages to screen readers, without moving the focus. */
import { signal } from "@preact/signals";

/** The text of the page's one live region (role status). */
export const announced = signal("");

let later: ReturnType<typeof setTimeout> | undefined;

/** Announces the last of several messages in quick succession. */
export function announce(text: string): void {
  clearTimeout(later);
  later = setTimeout(() => {
    announced.value = text;
  }, 150);
}
