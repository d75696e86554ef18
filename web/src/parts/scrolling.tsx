/** Containers that scroll. They take the focus, so that the keyboard can scroll them. */
import type { ComponentChildren } from "preact";

interface Props {
  /** Label for screen readers. */
  readonly label: string;
  /** Further classes, for its size. */
  readonly class?: string;
  readonly children: ComponentChildren;
}

export function Scrolling({ label, class: more = "", children }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
    <div class={`scrolls ${more}`.trim()} tabIndex={0} role="group" aria-label={label}>
      {children}
    </div>
  );
}

/** Code, or terminal output. */
export function Code({ text }: { readonly text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
    <pre class="scrolls code" tabIndex={0}>
      <code>{text}</code>
    </pre>
  );
}
