/** The corner of the page header: the signed-in user or the sign-in button, and why a sign-in has ended. */
import { href } from "../address/address.js";
import { currentUser, signIn, signInNote } from "../service/session.js";
import { words } from "../words/account.js";

export function AccountCorner({ isHere }: { readonly isHere: boolean }) {
  const who = currentUser.value;
  const note = signInNote.value;
  return (
    <>
      <div class="account">
        {who === undefined ? (
          <button type="button" onClick={signIn}>
            {words.signIn}
          </button>
        ) : (
          <a
            class="button"
            href={href("account")}
            aria-label={words.currentUser(who.name)}
            aria-current={isHere ? "page" : undefined}
          >
            {who.name}
          </a>
        )}
      </div>
      {note !== undefined && (
        <div class="row sign-in-note" role="status">
          <span>
            {note.text}
            {note.signOutThere !== undefined && (
              <>
                {" "}
                <a href={note.signOutThere}>{words.signOutThere}</a>
              </>
            )}
          </span>
          <button
            type="button"
            onClick={() => {
              signInNote.value = undefined;
            }}
          >
            {words.close}
          </button>
        </div>
      )}
    </>
  );
}
