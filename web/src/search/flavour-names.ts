/** A search in the names of one flavour -> the same in those of another. Pure. */
import { type Pairs, readConstraint } from "./constraints.js";

/** Native names and what a flavour has for them; those that it does not rename may be missing. */
export type Mapping = Readonly<Record<string, string>>;

/** @param pairs a search; one that has native names in every flavour keeps them */
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
