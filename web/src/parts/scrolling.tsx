/** What may be wider or higher than its place: it scrolls within it, also by keyboard, for which it has to take the focus. */
import type { ComponentChildren } from "preact";

interface Props {
  /** What it is called to who does not see it. */
  readonly label: string;
  /** Further classes, for its measures. */
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A table, usually. */
export function Scrolling({ label, class: more = "", children }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <div class={`scrolls ${more}`.trim()} tabIndex={0} role="group" aria-label={label}>
      {children}
    </div>
  );
}

/** Lines of code, or of a terminal. */
export function Code({ text }: { readonly text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <pre class="scrolls code" tabIndex={0}>
      <code>{text}</code>
    </pre>
  );
}
