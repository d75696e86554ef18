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

interface TableProps extends Props {
  readonly caption?: string;
  readonly columns: readonly (
    | string
    | { readonly name: string; readonly isNumber?: boolean; readonly isHidden?: boolean }
  )[];
}

/** A table with a header row; its rows are the children. */
export function ScrollingTable({ caption, columns, children, ...box }: TableProps) {
  return (
    <Scrolling {...box}>
      <table>
        {caption !== undefined && <caption class="quiet">{caption}</caption>}
        <thead>
          <tr>
            {columns.map((column) => {
              const { name, isNumber, isHidden } =
                typeof column === "string" ? { name: column } : column;
              return (
                <th key={name} scope="col" class={isNumber ? "number" : undefined}>
                  {isHidden ? <span class="visually-hidden">{name}</span> : name}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </Scrolling>
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
