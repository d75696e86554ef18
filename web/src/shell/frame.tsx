/** The frame around each view: header, navigation and messages. */
import type { ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { AccountCorner } from "../account/corner.js";
import { href, place, querySearching } from "../address/address.js";
import { announced } from "../parts/announce.js";
import { Busy } from "../parts/busy.js";
import { Failure } from "../parts/failure.js";
import { connected, lost } from "../service/connection.js";
import { words } from "../words/shell.js";
import { Connection } from "./connection.js";
import { VIEWS, type ViewName } from "./views.js";

const loaded = new Map<ViewName, ComponentType>();

/** The current view, loaded on first use. */
function CurrentView() {
  const { view } = place.value;
  const [, redraw] = useState(0);
  const [failure, setFailure] = useState<Error>();
  const failures = useRef(0);
  const load = (): void => {
    setFailure(undefined);
    LOADERS[view]().then(
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
  const listed = Object.entries(VIEWS).filter(([, { listed }]) => listed);
  return (
    <header class="head">
      <a class="skip" href="#content">
        {words.skip}
      </a>
      <a class="name" href={href("", new URLSearchParams())}>
        {words.page}
      </a>
      <nav aria-label={words.views}>
        <ul>
          {listed.map(([name, { title }]) => (
            <li key={name}>
              <a
                href={href(name as ViewName, querySearching())}
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
      <AccountCorner isHere={view === "account"} />
    </header>
  );
}

export function Frame() {
  const { view } = place.value;
  const content = useRef<HTMLElement>(null);
  const first = useRef(true);
  // Screen readers announce the new view and continue in it.
  useEffect(() => {
    document.title = `${VIEWS[view].title} · ${words.page}`;
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

const LOADERS: Readonly<Record<ViewName, () => Promise<ComponentType>>> = {
  "": async () => (await import("../search/search-view.js")).SearchView,
  coverage: async () => (await import("../coverage/coverage-view.js")).CoverageView,
  complete: async () => (await import("../complete/complete-view.js")).CompleteView,
  cart: async () => (await import("../cart/cart-view.js")).CartView,
  look: async () => (await import("../look/look-view.js")).LookView,
  userdata: async () => (await import("../userdata/userdata-view.js")).UserDataView,
  flavours: async () => (await import("../flavours/flavours-view.js")).FlavoursView,
  account: async () => (await import("../account/account-view.js")).AccountView,
};
