/** Texts of the code panel. */
export const words = {
  title: "The same as code",
  what: "Of what",
  all: "All of these",
  language: "Language",
  copy: "Copy the lines",
  token: "The token is read from TOKEN in the environment; make one in your account.",
  httr2: "For R 4.1 or later, with the package httr2.",
} as const;
