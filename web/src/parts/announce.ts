/** What is told to who listens to the page, without moving the focus. */
import { signal } from "@preact/signals";

/** The text of the page's one live region (role status). */
export const announced = signal("");

let later: ReturnType<typeof setTimeout> | undefined;

/** Says it once things are calm; of several in quick succession the last one. */
export function announce(text: string): void {
  clearTimeout(later);
  later = setTimeout(() => {
    announced.value = text;
  }, 150);
}
