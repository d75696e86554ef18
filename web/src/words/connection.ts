/** Texts about a lost connection. */
export const words = {
  lost: "The service does not answer.",
  kept: "The page keeps what it shows, and reconnects by itself.",
  next: (seconds: number) => (seconds <= 1 ? "Trying again …" : `Trying again in ${seconds} s.`),
  now: "Try now",
  back: "The service is back.",
} as const;
