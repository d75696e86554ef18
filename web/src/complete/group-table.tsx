/** Groups by their values, with links to their files and what they lack. */
import { href, querySearching } from "../address/address.js";
import { ScrollingTable } from "../parts/scrolling.js";
import { withValues } from "../search/constraints.js";
import { words } from "../words/complete.js";

export type Group = Readonly<Record<string, string>>;

/** The facets of a group with their values. */
export const valuesOf = (names: readonly string[], group: Group): [string, string][] =>
  names.map((name) => [name, group[name] ?? ""]);

interface Props {
  readonly label: string;
  readonly names: readonly string[];
  readonly groups: readonly {
    readonly group: Group;
    readonly lacks?: readonly string[];
  }[];
}

export function GroupTable({ label, names, groups }: Props) {
  const hasLacks = groups.some(({ lacks }) => lacks !== undefined);
  const searching = querySearching();
  const searchOf = (group: Group): string =>
    href("", withValues(searching, valuesOf(names, group)));
  return (
    <ScrollingTable
      label={label}
      class="groups"
      columns={hasLacks ? [...names, words.lacks] : names}
    >
      {groups.map(({ group, lacks }) => (
        <tr key={names.map((name) => group[name]).join("\n")}>
          {names.map((name, place) => (
            <td key={name}>
              {place === 0 ? <a href={searchOf(group)}>{group[name]}</a> : group[name]}
            </td>
          ))}
          {hasLacks && (
            <td>
              <ul class="lacks">
                {lacks?.map((lack) => (
                  <li key={lack}>{lack}</li>
                ))}
              </ul>
            </td>
          )}
        </tr>
      ))}
    </ScrollingTable>
  );
}
