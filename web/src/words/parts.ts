/** Texts of the shared parts. */
export const words = {
  again: "Try again",
  busy: "Asking …",
  copy: "Copy",
  copied: "Copied",
  close: "Close",
  notLoaded: "This part could not be loaded.",
  unreachable: "Check the network; the page goes on by itself when the service is back.",
  unknown: "This is a fault of the page; reloading it may help.",
  unauthorized: "Sign in, and try again.",
  forbidden: "Ask the owner of the data, or sign in with another account.",
  tooMuch: "Narrow the search, and try again.",
  invalid: "Change what is named, and try again.",
  later: "Try again in a moment.",
  laterIn: (seconds: number) => `Try again in ${seconds} s.`,
  askedAgainIn: (seconds: number) => `Asked again by itself in ${seconds} s.`,
  broken: "Try again; if it stays so, tell whoever runs this service.",
} as const;
