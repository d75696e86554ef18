import { useId } from "preact/hooks";
import { change, search } from "../address/address.js";
import { useAnswer } from "../service/answer.js";
import { getJson } from "../service/request.js";
import { words } from "../words/search.js";
import { translated } from "./constraints.js";

/** @param flavour the current one */
export function FlavourSelect({ flavour }: { readonly flavour: string }) {
  const id = useId();
  const { value } = useAnswer("flavours", (signal) => getJson("/databrowser/flavours", { signal }));
  const flavours = value?.flavours ?? [];
  const mappingOf = (name: string): Record<string, string> =>
    flavours.find((one) => one.flavour_name === name)?.mapping ?? {};
  const choose = (name: string): void => {
    const pairs = translated(search.value.pairs, mappingOf(flavour), mappingOf(name));
    const searched = new Set(search.value.pairs.map(([key]) => key));
    change((query) => {
      for (const key of searched) query.delete(key);
      query.set("flavour", name);
      for (const [key, text] of pairs) query.append(key, text);
    });
  };
  const names = flavours.map(({ flavour_name }) => flavour_name);
  return (
    <>
      <label for={id} title={words.flavourHelp}>
        {words.flavour}
      </label>
      <select id={id} value={flavour} onChange={(event) => choose(event.currentTarget.value)}>
        {!names.includes(flavour) && <option value={flavour}>{flavour}</option>}
        {flavours.map(({ flavour_name: name, owner }) => (
          <option key={`${owner} ${name}`} value={name}>
            {owner === "built in" ? name : words.ofUser(name, owner)}
          </option>
        ))}
      </select>
    </>
  );
}
