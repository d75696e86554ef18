/** The user's own data: add, list, delete. */
import { useState } from "preact/hooks";
import { NeedsSignIn } from "../parts/needs-sign-in.js";
import { currentUser } from "../service/session.js";
import { words } from "../words/userdata.js";
import { AddEntries } from "./add-entries.js";
import { FromFiles } from "./from-files.js";
import { OwnList } from "./own-list.js";

export function UserDataView() {
  // A new number reloads the list.
  const [changes, setChanges] = useState(0);
  return (
    <div class="userdata">
      <h1>{words.title}</h1>
      <p>{words.lead}</p>
      {currentUser.value === undefined && (
        <NeedsSignIn why={words.needsSignIn} action={words.signIn} />
      )}
      <div class="userdata-columns">
        <section class="panel" aria-labelledby="userdata-add">
          <h2 id="userdata-add">{words.add}</h2>
          <FromFiles />
          <AddEntries added={() => setChanges(changes + 1)} />
        </section>
        {currentUser.value && <OwnList name={currentUser.value.name} changes={changes} />}
      </div>
    </div>
  );
}
