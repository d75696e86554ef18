/** The frame around each view: header, navigation and messages. */
import { LOADERS } from "views:loaders";
import type { ComponentType } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { AccountCorner } from "../account/corner.js";
import {
  href,
  place,
  querySearching,
  resultsAddress,
  search,
  searchAround,
} from "../address/address.js";
import { Finder } from "../finder/finder.js";
import { announced } from "../parts/announce.js";
import { Busy } from "../parts/busy.js";
import { Failure } from "../parts/failure.js";
import { Icon } from "../parts/icon.js";
import { SearchView } from "../search/search-view.js";
import { connected, lost } from "../service/connection.js";
import { useNamedFlavour } from "../service/flavours.js";
import { nextTry, tryNow } from "../service/watch.js";
import { showStart } from "../start/shown.js";
import { words } from "../words/shell.js";
import { withStyles } from "./lazy.js";
import { VIEWS, type ViewName } from "./views.js";

/** The search is there from the start: most visits begin with it. */
const loaded = new Map<ViewName, ComponentType>([["", SearchView]]);

/** The current view, loaded on first use. */
function CurrentView() {
  const { view } = place.value;
  const [, redraw] = useState(0);
  const [failure, setFailure] = useState<Error>();
  const failures = useRef(0);
  const load = (): void => {
    setFailure(undefined);
    withStyles(LOADERS[view]()).then(
      (component) => {
        loaded.set(view, component);
        redraw((count) => count + 1);
      },
      () => {
        lost();
        setFailure(new Error(words.notOpened));
        // The service answers but the view does not load: the browser has cached the failure, or the page was updated.
        if (failures.current > 0) reloadOnce();
        failures.current += 1;
      },
    );
  };
  const isThere = connected.value;
  // Also retries when the service is back.
  useEffect(() => {
    if (!loaded.has(view) && isThere) load();
  }, [view, isThere]);
  const View = loaded.get(view);
  if (View !== undefined) return <View />;
  return failure ? <Failure failure={failure} retry={load} /> : <Busy of={words.opening} />;
}

function Head() {
  const { view } = place.value;
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [view]);
  const listed = Object.entries(VIEWS).filter(([, { listed }]) => listed);
  return (
    <header class="head">
      <a class="skip" href="#content">
        {words.skip}
      </a>
      {view === "" && (
        <a class="skip" href="#results">
          {words.skipToResults}
        </a>
      )}
      <div class="row head-row">
        <button
          type="button"
          class="plain head-menu"
          aria-expanded={isOpen}
          aria-controls="views"
          onClick={() => setOpen(!isOpen)}
        >
          <Icon of={isOpen ? "close" : "menu"} />
          <span class="visually-hidden">{words.menu}</span>
        </button>
        <a
          class="name"
          href={href("", querySearching({ flavour: search.value.flavour, pairs: [] }))}
          title={words.home}
          onClick={showStart}
        >
          {words.page}
        </a>
        <Finder />
        <AccountCorner isHere={view === "account"} />
      </div>
      <nav id="views" class={isOpen ? "is-open" : undefined} aria-label={words.views}>
        <ul>
          {listed.map(([name, { title }]) => (
            <li key={name}>
              <a
                href={
                  name === ""
                    ? resultsAddress()
                    : href(name as ViewName, querySearching(searchAround()))
                }
                aria-current={name === view ? "page" : undefined}
              >
                {title}
              </a>
            </li>
          ))}
          <li>
            <a href="docs" title={words.docsTitle}>
              {words.docs}
            </a>
          </li>
        </ul>
      </nav>
    </header>
  );
}

export function Frame() {
  const { view } = place.value;
  useNamedFlavour();
  const content = useRef<HTMLElement>(null);
  const first = useRef(true);
  // Before the effects of the view, which may have a title of its own.
  useLayoutEffect(() => {
    document.title = `${VIEWS[view].title} · ${words.page}`;
  }, [view]);
  // Screen readers announce the new view and continue in it.
  useEffect(() => {
    if (first.current) first.current = false;
    else content.current?.focus({ preventScroll: true });
  }, [view]);
  return (
    <>
      <Head />
      <Connection />
      <main id="content" tabIndex={-1} ref={content}>
        <CurrentView />
      </main>
      <p class="visually-hidden" role="status" aria-live="polite">
        {announced.value}
      </p>
    </>
  );
}

/** Milliseconds within which a second reload would not help. */
const MIN_RELOAD_INTERVAL = 30_000;
const STORAGE_KEY = "climate-nextgen reloaded";

/** Reloads the page, but not repeatedly. Nothing is lost: its state is its address. */
function reloadOnce(): void {
  try {
    if (Date.now() - Number(sessionStorage.getItem(STORAGE_KEY) ?? 0) < MIN_RELOAD_INTERVAL) return;
    sessionStorage.setItem(STORAGE_KEY, String(Date.now()));
  } catch {
    // Without storage, nothing would stop a reload loop.
    return;
  }
  location.reload();
}

/** Milliseconds to show that the service is back. */
const SHOWN_BACK_FOR = 4000;

/** Tells when the service is lost, and when it is back. */
function Connection() {
  const isThere = connected.value;
  const [wasLost, setWasLost] = useState(false);
  useEffect(() => {
    if (!isThere) {
      setWasLost(true);
      return;
    }
    if (!wasLost) return;
    const timer = setTimeout(() => setWasLost(false), SHOWN_BACK_FOR);
    return () => clearTimeout(timer);
  }, [isThere]);
  if (isThere)
    return wasLost ? (
      <section class="connection back" aria-label={words.connection}>
        <span role="status">{words.back}</span>
      </section>
    ) : null;
  return (
    <section class="connection row" aria-label={words.connection}>
      {/* Without the seconds, which a screen reader would read one by one. */}
      <span role="alert">
        <strong>{words.lost}</strong> {words.kept}
      </span>
      <span>{words.next(nextTry.value ?? 1)}</span>
      <button type="button" onClick={tryNow}>
        {words.now}
      </button>
    </section>
  );
}
