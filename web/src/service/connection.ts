/** Whether the service answers. */
import { signal } from "@preact/signals";

/** False from the first request without an answer to the next that gets one. */
export const connected = signal(true);

export const lost = (): void => {
  connected.value = false;
};
export const reached = (): void => {
  connected.value = true;
};
