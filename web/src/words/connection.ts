/** Texts about a lost connection. */
export const words = {
  lost: "The service does not answer.",
  kept: "What you see stays; the page goes on by itself when it is back.",
  next: (seconds: number) => (seconds <= 1 ? "Trying again …" : `Trying again in ${seconds} s.`),
  now: "Try now",
  back: "The service is back.",
} as const;
