/** The status of the service as a page. */
import type { components } from "../../../../generated/openapi.js";
import { type Markup, markup, PAGE_STYLE, pagePolicy, styleSheet, wholePage } from "./page.js";

type ServiceStatus = components["schemas"]["ServiceStatus"];
type Check = components["schemas"]["ServiceCheck"];
type State = Check["state"];

const STYLE = `${PAGE_STYLE}
:root { --ok: #17643a; --warning: #7a4b00; --failed: #a4161a; }
@media (prefers-color-scheme: dark) { :root { --ok: #7fd6a2; --warning: #f0c064; --failed: #ff9d94; } }
main { max-width: 52rem; } p { margin: .25rem 0; } .quiet, time { color: var(--quiet); } a { color: var(--link); }
ul { list-style: none; margin: 1.5rem 0; padding: 0; }
li { display: flex; flex-wrap: wrap; gap: .1rem 1rem; padding: .7rem 0; border-top: 1px solid var(--line); }
.state { flex: 0 0 6.5rem; font-weight: 600; } .says { flex: 1 1 16rem; } .since { flex-basis: 100%; margin-left: 7.5rem; font-size: .9rem; }
.state-ok { color: var(--ok); } .state-warning { color: var(--warning); } .state-failed { color: var(--failed); } .state-unknown { color: var(--quiet); }
@media (max-width: 30rem) { .since { margin-left: 0; } }`;

/** The page loads nothing. */
export const STATUS_PAGE_POLICY = pagePolicy(STYLE);

/** Words and signs, because colours alone are not accessible. */
const WORDS: Readonly<Record<State, string>> = {
  ok: "✓ works",
  unknown: "? unknown",
  warning: "! warning",
  failed: "✗ failed",
};
const TITLES: Readonly<Record<State, string>> = {
  ok: "Everything works",
  unknown: "Everything that could be looked at works",
  warning: "It works, but needs attention",
  failed: "Something does not work",
};

/** `2026-11-22T13:04:10Z` -> `2026-11-22 13:04:10 UTC` */
const inWords = (time: string): string => time.replace("T", " ").replace("Z", " UTC");

function row({ state, says, since, age }: Check): Markup {
  const checked = age === undefined ? "" : `, looked at ${Math.round(age)}\u00a0s ago`;
  const when =
    since === undefined
      ? ""
      : markup`<span class="since quiet">so since <time datetime="${since}">${inWords(since)}</time>${checked}</span>`;
  return markup`<li><span class="state state-${state}">${WORDS[state]}</span> <span class="says">${says}</span>${when}</li>`;
}

/** The page. @param now as ISO 8601 in UTC */
export function statusPage({ state, checks }: ServiceStatus, now: string): string {
  const body = markup`<main>
<header><h1>${TITLES[state]}</h1>
<p class="quiet">How this service is, at <time datetime="${now}">${inWords(now)}</time>. <a href="">Look again</a></p></header>
<ul>
${checks.map(row)}
</ul>
<p class="quiet">Times are those at which a state was first seen. Programs get the same as JSON.</p>
</main>`;
  const head = markup`<link rel="icon" href="data:,">
${styleSheet(STYLE)}`;
  return wholePage(`${TITLES[state]} · climate-nextgen`, head, body);
}
