/** What stands around each view: the way to the others, and what is told of the page as a whole. */
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
import { LOADERS } from "./loaders.js";
import { reloadOnce } from "./reload-once.js";
import { VIEWS, type ViewName } from "./views.js";

const loaded = new Map<ViewName, ComponentType>();

/** The present view, loaded when it is opened first. */
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
        // The service is there, and the view is not: the browser remembers that it could not be loaded, or there is a newer page.
        if (failures.current > 0) reloadOnce();
        failures.current += 1;
      },
    );
  };
  const isThere = connected.value;
  // Also when the service is back from which it could not be loaded.
  useEffect(() => {
    if (!loaded.has(view) && isThere) load();
  }, [view, isThere]);
  const View = loaded.get(view);
  if (View !== undefined) return <View />;
  return failure ? <Failure failure={failure} again={load} /> : <Busy of={words.opening} />;
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

/** The whole page. */
export function Frame() {
  const { view } = place.value;
  const content = useRef<HTMLElement>(null);
  const first = useRef(true);
  // Who listens hears of the new view, and goes on within it.
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
