/** The account view: who is signed in, sign-out, and tokens for scripts. */
import { announce } from "../parts/announce.js";
import { Failure } from "../parts/failure.js";
import { useAction } from "../parts/use-action.js";
import { currentUser, signIn, signOut } from "../service/session.js";
import { words } from "../words/account.js";
import { ScriptTokens } from "./script-tokens.js";

function SignedOut() {
  return (
    <section class="panel row account-who">
      <p>{words.signedOut}</p>
      <button type="button" class="primary" onClick={signIn}>
        {words.signIn}
      </button>
    </section>
  );
}

export function AccountView() {
  const who = currentUser.value;
  const { failure, run } = useAction();
  const leave = (): void => {
    announce(words.signingOut);
    void run(signOut);
  };
  return (
    <div class="account-view">
      <h1>{words.title}</h1>
      {failure && <Failure failure={failure} />}
      {who === undefined ? (
        <SignedOut />
      ) : (
        <>
          <section class="panel row account-who">
            <p>
              {words.signedInAs} <strong>{who.name}</strong>
              {who.email !== undefined && <span class="quiet"> {who.email}</span>}
            </p>
            <button type="button" onClick={leave}>
              {words.signOut}
            </button>
          </section>
          <ScriptTokens />
        </>
      )}
    </div>
  );
}
