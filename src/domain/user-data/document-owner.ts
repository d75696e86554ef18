import type { Owner } from "./owner.js";

/**
 * The owner whom a document of the index names; undefined where it names none: then it was put there by
 * whoever runs the index.
 */
export function ownerOfDocument({
  owner,
  user,
}: {
  readonly owner: string | undefined;
  readonly user: string | undefined;
}): Owner | undefined {
  if (owner === undefined) return undefined;
  // Of an outside provider: issuer and subject. No issuer's address has a space in it.
  const space = owner.indexOf(" ");
  const sub = owner.slice(space + 1);
  return { id: owner, sub, user: user ?? "", isLocal: space < 0 };
}
