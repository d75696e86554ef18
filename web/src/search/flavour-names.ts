/** Translates a search from one flavour to another. Pure. */
import { type Pairs, readConstraint } from "./constraints.js";

/** Native name -> name in the flavour; unchanged names may be missing. */
export type Mapping = Readonly<Record<string, string>>;

/** @param pairs a search; with `translate=false` it keeps its native names */
export function renamed(pairs: Pairs, from: Mapping, to: Mapping): [string, string][] {
  const isNative = pairs.some(
    ([name, value]) => name === "translate" && /^(?:false|f|0|no|off)$/i.test(value),
  );
  const natives = new Map(Object.entries(from).map(([native, name]) => [name, native]));
  const change = (name: string): string => {
    const native = natives.get(name) ?? name;
    return to[native] ?? native;
  };
  return pairs.map((pair) => {
    const { kind, name } = readConstraint(pair);
    if (isNative || kind !== "value") return [...pair];
    const [key, value] = pair;
    if (key === "filter") return [key, `${value.replace(name, change(name))}`];
    return [key.replace(name, change(name)), value];
  });
}
