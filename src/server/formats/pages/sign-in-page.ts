/** The sign-in page, without scripts. */
import { type Markup, markup, PAGE_STYLE, pagePolicy, styleSheet, wholePage } from "./page.js";

interface SignInForm {
  /** Hidden fields, sent back unchanged. */
  readonly hidden: Readonly<Record<string, string | undefined>>;
  readonly username: string;
  /** The requesting application; undefined for the service's own page. */
  readonly application: string | undefined;
  /** Address for leaving without signing in. */
  readonly cancel: string;
  /** The reason of the last failure, as a sentence. */
  readonly problem: string | undefined;
}

const STYLE = `${PAGE_STYLE}
main { max-width: 26rem; padding-top: 4rem; }
form { display: grid; gap: 1rem; margin-top: 1.5rem; }
label { display: grid; gap: .25rem; font-weight: 600; }
input { font: inherit; font-weight: 400; padding: .55rem .6rem; color: inherit; background: var(--ground); border: 1px solid var(--quiet); border-radius: .3rem; }
button { font: inherit; font-weight: 600; padding: .6rem 1rem; color: var(--ground); background: var(--link); border: 1px solid var(--link); border-radius: .3rem; cursor: pointer; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
a { color: var(--link); } p { margin: .25rem 0; } .quiet { color: var(--quiet); }
.problem { border-left: .3rem solid var(--bad); padding: .5rem .75rem; background: var(--raised); margin-top: 1rem; }
.away { display: inline-block; padding: .35rem 0; }
:root { --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --bad: #f2b8b5; } }`;

/** @param returnTo redirect target of the form, which the policy must allow */
const headers = (returnTo: string | undefined): Record<string, string> => {
  const target = returnTo === undefined ? "" : ` ${new URL(returnTo).origin}`;
  return {
    "Content-Security-Policy": pagePolicy(STYLE, `'self'${target}`),
    "Cache-Control": "no-store",
  };
};

const page = (title: string, body: Markup): string =>
  wholePage(`${title} - climate-nextgen`, styleSheet(STYLE), markup`<main>${body}</main>`);

const field = ([name, value]: readonly [string, string | undefined]): Markup | string =>
  value === undefined ? "" : markup`<input type="hidden" name="${name}" value="${value}">`;

/** The page with the form. Its address is relative, for proxies with a path. */
export function signInPage(form: SignInForm, returnTo: string) {
  const { hidden, username, application, cancel, problem } = form;
  const isAgain = username !== "";
  return {
    headers: headers(returnTo),
    body: page(
      problem === undefined ? "Sign in" : "Sign in: not done",
      markup`<h1>Sign in</h1>
${application === undefined ? markup`<p class="quiet">to climate-nextgen, with your account of this service</p>` : markup`<p>The program <strong>${application}</strong> on your computer asks to act for you in climate-nextgen. Go on only if you have started it yourself.</p>`}
${problem === undefined ? "" : markup`<p class="problem" role="alert" id="problem">${problem}</p>`}
<form method="post" action="authorize">
${Object.entries(hidden).map(field)}
<label>User name <input name="username" autocomplete="username" autocapitalize="none" spellcheck="false" required maxlength="256" value="${username}"${isAgain ? "" : markup` autofocus`}></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required maxlength="1024"${isAgain ? markup` autofocus` : ""}></label>
<button>Sign in</button>
</form>
<p><a class="away" href="${cancel}">Back without signing in</a></p>`,
    ),
  };
}

/** The page for an unknown client or redirect address. */
export function refusedPage(reason: string) {
  return {
    headers: headers(undefined),
    body: page(
      "Sign in: not possible",
      markup`<h1>You cannot sign in from here</h1>
<p class="problem" role="alert">${reason}</p>
<p>Nothing was sent anywhere. If you followed a link, it was not made by this service.</p>`,
    ),
  };
}
