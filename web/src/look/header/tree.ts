/** The header of a dataset as rows of a tree, similar to ncdump. */
import type { AttributeValue } from "../../../../src/files/cf/header.js";
import { words } from "../../words/look.js";
import type { Attributes, Group, Variable } from "../data/types.js";

export interface Node {
  /** Unique in the whole tree. */
  readonly key: string;
  readonly name: string;
  /** Text after the name. */
  readonly text: string;
  /** Set for variables that can be drawn. */
  readonly variable?: Variable;
  readonly children: readonly Node[];
}

/** Characters shown of an attribute; some contain years of history. */
const MAX_TEXT = 4000;
const MAX_VALUES = 100;

/** An attribute as ncdump prints it. */
function attributeText(value: AttributeValue): string {
  if (typeof value === "string") return shortened(value);
  const rest = value.length > MAX_VALUES ? ", …" : "";
  return shortened(value.slice(0, MAX_VALUES).join(", ") + rest);
}

const shortened = (text: string): string =>
  text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)} …` : text;

const attributeNodes = (attributes: Attributes, key: string): Node[] =>
  [...attributes].map(([name, value], i) => ({
    key: `${key}@${i}`,
    name,
    text: attributeText(value),
    children: [],
  }));

const KINDS: Readonly<Record<string, string>> = { i: "int", u: "uint", f: "float", c: "complex" };

/** The type of a variable as numpy and xarray print it: `float32` for zarr's `<f4`. */
export function typeText(type: string): string {
  const [, kind = "", size = ""] = /^[<>|=]?([a-zA-Z])(\d*)$/.exec(type) ?? [];
  const name = KINDS[kind];
  if (name !== undefined && size !== "") return `${name}${8 * Number(size)}`;
  if (kind === "b") return "bool";
  if (kind === "U" || kind === "S" || kind === "O") return kind === "S" ? "bytes" : "string";
  return type;
}

/** @param drawable variables that can be drawn */
export function headerTree(group: Group, drawable: readonly Variable[], key = ""): Node[] {
  const named = (name: string, text: string, children: Node[], part: string): Node[] =>
    children.length === 0 ? [] : [{ key: key + part, name, text, children }];
  const dimensions = group.dimensions.map(({ name, length, unlimited }, i) => ({
    key: `${key}#d${i}`,
    name,
    text: unlimited ? `${length} (${words.unlimited})` : String(length),
    children: [],
  }));
  const variables = group.variables.map((variable, i) => ({
    key: `${key}#v${i}`,
    name: variable.name,
    text: `${typeText(variable.type)} (${variable.dimensions.map((name, at) => `${name} ${variable.shape[at]}`).join(", ")})`,
    ...(drawable.includes(variable) && { variable }),
    children: attributeNodes(variable.attributes, `${key}#v${i}`),
  }));
  const count = (list: readonly unknown[]): string => String(list.length);
  return [
    ...named(words.dimensions, count(dimensions), dimensions, "#dimensions"),
    ...named(words.variables, count(variables), variables, "#variables"),
    ...named(
      words.attributes,
      String(group.attributes.size),
      attributeNodes(group.attributes, `${key}#a`),
      "#attributes",
    ),
    ...group.groups.map((inner, i) => ({
      key: `${key}/${i}`,
      name: inner.name,
      text: words.group,
      children: headerTree(inner, drawable, `${key}/${i}`),
    })),
  ];
}

export interface Row {
  readonly node: Node;
  readonly level: number;
  readonly position: number;
  readonly siblings: number;
  readonly parent: string | undefined;
}

/** The visible rows: those whose parents are open. */
export const rowsOf = (
  nodes: readonly Node[],
  open: ReadonlySet<string>,
  level = 1,
  parent?: string,
): Row[] =>
  nodes.flatMap((node, i) => [
    { node, level, position: i + 1, siblings: nodes.length, parent },
    ...(open.has(node.key) ? rowsOf(node.children, open, level + 1, node.key) : []),
  ]);
