import { signIn } from "../service/session.js";

/** What a view is without a sign-in, and the way to one. @param why in a sentence @param action what the button says */
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
