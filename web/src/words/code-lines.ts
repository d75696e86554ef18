/** Texts of the code panel. */
export const words = {
  title: "Show code",
  what: "Request",
  all: "All requests",
  language: "Language",
  copy: "Copy the code",
  token:
    "The code reads the token from the environment variable TOKEN. Create one in your account.",
  httr2: "Needs R 4.1 or later and the package httr2.",
} as const;
