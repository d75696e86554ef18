/** Starts the page. */
// First of all: what a sign-in page has put into the address must not be taken for a part of it.
import "./service/returned.js";
import { render } from "preact";
import { followAddress } from "./address/address.js";
import { resume } from "./service/session.js";
import { watchConnection } from "./service/watch.js";
import { Frame } from "./shell/frame.js";

// A tab that was signed in goes to fetch that first, and comes back to the same place.
if (!(await resume())) {
  followAddress();
  watchConnection();
  render(<Frame />, document.body);
}
