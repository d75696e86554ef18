/** Starts the page. */
// Must be first: it takes a sign-in answer out of the address.
import "./service/returned.js";
import { render } from "preact";
import { followAddress } from "./address/address.js";
import { resume } from "./service/session.js";
import { watchConnection } from "./service/watch.js";
import { Frame } from "./shell/frame.js";
import { keepFocus } from "./shell/keep-focus.js";

// A tab of a browser that is signed in fetches its token first, and comes back here.
if (!(await resume())) {
  followAddress();
  watchConnection();
  keepFocus();
  render(<Frame />, document.body);
}
