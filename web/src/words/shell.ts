/** Texts of the page frame. */
export const words = {
  page: "Climate data browser",
  skip: "Skip to the content",
  views: "Views",
  search: "Search",
  coverage: "Coverage",
  complete: "Complete models",
  cart: "Cart",
  look: "First look",
  userdata: "My data",
  flavours: "Flavours",
  account: "Account",
  docs: "API",
  docsTitle: "All operations, with a form to try each",
  opening: "Opening …",
  notOpened: "This view could not be loaded",

  // Lost connection
  lost: "The service does not answer.",
  kept: "The page keeps what it shows, and reconnects by itself.",
  next: (seconds: number) => (seconds <= 1 ? "Trying again …" : `Trying again in ${seconds} s.`),
  now: "Try now",
  back: "The service is back.",
} as const;
