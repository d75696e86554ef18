/** Texts of the page frame. */
export const words = {
  page: "Climate data browser",
  skip: "Skip to the content",
  views: "Views",
  search: "Search",
  coverage: "Coverage",
  complete: "All of these",
  cart: "Cart",
  look: "First look",
  userdata: "My data",
  flavours: "Flavours",
  account: "Account",
  docs: "API",
  docsTitle: "All operations, to read and to try out",
  opening: "Opening …",
  notOpened: "This view could not be loaded",
  again: "Try again",
} as const;
