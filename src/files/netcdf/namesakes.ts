/** Members of a group that have one name. */
import type { Group } from "./model.js";

const REASON = "Another member of its group has the same name.";

/** A file without members that share a name: clients ask by names, and would get one of them for the other. */
export function withoutNamesakes(group: Group): Group {
  const groupName = ({ path }: Group): string => path.slice(path.lastIndexOf("/") + 1);
  const names = new Set<string>();
  const shared = new Set<string>();
  for (const name of [...group.variables.map(({ name }) => name), ...group.groups.map(groupName)]) {
    if (names.has(name)) shared.add(name);
    names.add(name);
  }
  const groups = group.groups.map(withoutNamesakes);
  if (shared.size === 0) return { ...group, groups };
  return {
    ...group,
    variables: group.variables.filter(({ name }) => !shared.has(name)),
    groups: groups.filter((child) => !shared.has(groupName(child))),
    leftOut: [...group.leftOut, ...[...shared].map((name) => ({ name, reason: REASON }))],
  };
}
