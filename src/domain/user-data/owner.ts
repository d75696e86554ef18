/** The owner of user data, by an identity that no two people share and no user name can imitate. */

/** The numbers of a user's account on this machine, as the external provider states them. */
export interface ClaimedAccount {
  readonly uid?: number;
  readonly gids?: readonly number[];
}

interface Principal {
  readonly sub: string;
  readonly username: string;
  readonly issuer: string;
  readonly account?: ClaimedAccount;
}

export interface Owner {
  /**
   * Permanent identity. For local accounts, the UUID; for external ones, issuer and subject, as a subject is unique only
   * within its issuer (OpenID Connect Core 1.0, 2). User names do not identify: they may differ only in case, change, and be
   * given to another person.
   */
  readonly id: string;
  /** The subject alone: unique only within its issuer. */
  readonly sub: string;
  /** The user name shown with the data. */
  readonly user: string;
  /** Whether the account belongs to this service. Equal user names elsewhere belong to other people. */
  readonly isLocal: boolean;
  /** From tokens of the external provider. */
  readonly account?: ClaimedAccount;
  /** Somebody without a token, who reads public data only. */
  readonly isAnonymous?: true;
}

/** A reader without an account. @param id its key in queues and quotas */
export const anonymous = (id: string): Owner => ({
  id,
  sub: "",
  user: "",
  isLocal: false,
  isAnonymous: true,
});

export function ownerOf(principal: Principal, issuer: string): Owner {
  const { sub, username, account } = principal;
  const isLocal = principal.issuer === issuer;
  const id = isLocal ? sub : `${principal.issuer} ${sub}`;
  const external = isLocal || account === undefined ? {} : { account };
  return { id, sub, user: username || sub, isLocal, ...external };
}

/** The owner that a document names; both undefined for public data. */
export interface Ownership {
  readonly owner: string | undefined;
  readonly user: string | undefined;
}

/** The owner of a document; undefined if it has none: then the administrator of the index added it. */
export function ownerOfDocument({ owner, user }: Ownership): Owner | undefined {
  if (owner === undefined) return undefined;
  // External owners are "issuer subject"; an issuer's URL contains no space.
  const space = owner.indexOf(" ");
  const sub = owner.slice(space + 1);
  return { id: owner, sub, user: user ?? "", isLocal: space < 0 };
}

/**
 * Whether a document is public or belongs to the owner. A document with a user but no owner was added by the administrator of
 * the index, who means the local account of that name.
 */
export function mayRead({ id, user, isLocal, isAnonymous }: Owner, document: Ownership): boolean {
  if (isAnonymous) return document.owner === undefined && document.user === undefined;
  if (document.owner !== undefined) return document.owner === id;
  return document.user === undefined || (isLocal && document.user === user);
}
