import { signIn } from "../service/session.js";

/** Replaces a view that needs a sign-in. @param why a sentence @param action label of the button */
export function NeedsSignIn({ why, action }: { readonly why: string; readonly action: string }) {
  return (
    <p class="row">
      {why}
      <button type="button" onClick={() => signIn()}>
        {action}
      </button>
    </p>
  );
}
