/** The header of a dataset as a tree, with mouse and the keys of the ARIA tree pattern. */
import { useMemo, useRef, useState } from "preact/hooks";
import { words } from "../../words/look.js";
import type { Dataset, Variable } from "../data/types.js";
import { drawable } from "../variables.js";
import { headerTree, type Node, type Row, rowsOf } from "./tree.js";

interface Props {
  readonly dataset: Dataset;
  /** Path of the drawn variable. */
  readonly shown: string | undefined;
  readonly show: (variable: Variable) => void;
}

export function HeaderTree({ dataset, shown, show }: Props) {
  const nodes = useMemo(() => headerTree(dataset, drawable(dataset)), [dataset]);
  const [open, setOpen] = useState<ReadonlySet<string>>(
    () => new Set(["#dimensions", "#variables"]),
  );
  const [current, setCurrent] = useState<string>();
  const list = useRef<HTMLDivElement>(null);
  const rows = rowsOf(nodes, open);
  const reached = rows.some(({ node }) => node.key === current) ? current : rows[0]?.node.key;

  const toggle = ({ key }: Node, wanted = !open.has(key)): void => {
    const next = new Set(open);
    if (wanted) next.add(key);
    else next.delete(key);
    setOpen(next);
  };
  const go = (key: string | undefined): void => {
    if (key === undefined) return;
    setCurrent(key);
    const items = [...(list.current?.children ?? [])] as HTMLElement[];
    items.find((item) => item.dataset.key === key)?.focus();
  };
  /** The action of each key. */
  const actions = ({ node, parent }: Row, at: number): Record<string, () => void> => ({
    ArrowDown: () => go(rows[at + 1]?.node.key),
    ArrowUp: () => go(rows[at - 1]?.node.key),
    Home: () => go(rows[0]?.node.key),
    End: () => go(rows.at(-1)?.node.key),
    ArrowRight: () => {
      if (node.children.length === 0) return;
      if (open.has(node.key)) go(node.children[0]?.key);
      else toggle(node);
    },
    ArrowLeft: () => (open.has(node.key) ? toggle(node, false) : go(parent)),
    Enter: () => (node.variable ? show(node.variable) : toggle(node)),
    " ": () => toggle(node),
  });

  return (
    <div class="header-tree" role="tree" aria-label={words.headerOf} ref={list}>
      {rows.map((row, at) => {
        const { node, level, position, siblings } = row;
        const isDrawn = node.variable !== undefined && node.variable.path === shown;
        return (
          <div
            key={node.key}
            data-key={node.key}
            role="treeitem"
            aria-level={level}
            aria-posinset={position}
            aria-setsize={siblings}
            aria-expanded={node.children.length > 0 ? open.has(node.key) : undefined}
            aria-selected={isDrawn}
            tabIndex={node.key === reached ? 0 : -1}
            class={`tree-row level-${Math.min(level, 6)}`}
            onFocus={() => setCurrent(node.key)}
            onClick={(event) => {
              setCurrent(node.key);
              // Within the tree, Enter does the same as this button.
              const isAsked = (event.target as Element).closest(".tree-draw") !== null;
              if (node.variable && isAsked) show(node.variable);
              else if (node.children.length > 0) toggle(node);
            }}
            onKeyDown={(event) => {
              if (event.ctrlKey || event.metaKey || event.altKey) return;
              if (event.target !== event.currentTarget) return;
              const action = actions(row, at)[event.key];
              if (action === undefined) return;
              event.preventDefault();
              action();
            }}
          >
            <span class="tree-sign" aria-hidden="true">
              {node.children.length === 0 ? "" : open.has(node.key) ? "▾" : "▸"}
            </span>
            <span class="tree-name">{node.name}</span> <span class="tree-text">{node.text}</span>
            {node.variable && (
              <span class={isDrawn ? "tree-drawn" : "tree-draw"} aria-hidden="true">
                {isDrawn ? words.drawn : words.draw}
              </span>
            )}
          </div>
        );
      })}
    </div>
  );
}
