/** Texts of the shared parts. */
export const words = {
  retry: "Try again",
  busy: "Loading …",
  copy: "Copy",
  copied: "Copied",
  close: "Close",
  notLoaded: "This part could not be loaded.",
  unreachable: "Check the network. The page continues by itself when the service is back.",
  unknown: "This is an error in the page. Reloading it may help.",
  unauthorized: "Sign in and try again.",
  forbidden: "Sign in with another account if that one may.",
  tooMuch: "Narrow the search and try again.",
  invalid: "Correct the parameters below and try again.",
  later: "Try again in a moment.",
  laterIn: (seconds: number) => `Try again in ${seconds} s.`,
  askedAgainIn: (seconds: number) => `Retrying in ${seconds} s.`,
  broken: "Try again. If the error persists, tell the operator of this service.",
  code: {
    title: "Show code",
    what: "Request",
    all: "All requests",
    language: "Language",
    copy: "Copy the code",
    token:
      "The code reads the token from the environment variable TOKEN. Create one in your account.",
    httr2: "Needs R 4.1 or later and the package httr2.",
  },
} as const;
