/** Texts of the page frame. */
export const words = {
  page: "Climate data browser",
  home: "Start page",
  skip: "Skip to the content",
  skipToResults: "Skip to the results",
  menu: "Menu",
  views: "Views",
  docs: "API",
  docsTitle: "All operations, with a form to try each",
  opening: "Opening …",
  notOpened: "This view could not be loaded",

  // Lost connection
  connection: "Connection",
  lost: "The service does not answer.",
  kept: "The page keeps what it shows, and reconnects by itself.",
  next: (seconds: number) => (seconds <= 1 ? "Trying again …" : `Trying again in ${seconds} s.`),
  now: "Try now",
  back: "The service is back.",
} as const;
