/** Whose user data is: what no two people share, and what no name can be made to look like. */

/** What the outside provider says of somebody's account on this machine, by numbers. */
export interface ClaimedAccount {
  readonly uid?: number;
  readonly gids?: readonly number[];
}

interface Holder {
  readonly sub: string;
  readonly username: string;
  readonly issuer: string;
  readonly account?: ClaimedAccount;
}

export interface Owner {
  /**
   * Identifies the owner for ever. Of an account of this service it is the UUID; of an outside identity
   * provider the subject together with the issuer, who alone can tell its subjects apart (OpenID Connect
   * Core 1.0, 2). Names would not do: they differ by case alone, are changed, and are given to others.
   */
  readonly id: string;
  /** The subject alone, which only its issuer can tell from others. */
  readonly sub: string;
  /** The name under which people find the data. */
  readonly user: string;
  /** Whether it is an account of this service; somebody of the same name elsewhere is somebody else. */
  readonly isLocal: boolean;
  /** Of an account of the outside provider, where its tokens tell; names mean nothing across the two. */
  readonly account?: ClaimedAccount;
}

/**
 * @param principal whom the access token speaks for
 * @param issuer this service's own name in tokens
 */
export function ownerOf({ sub, username, issuer: by, account }: Holder, issuer: string): Owner {
  const isLocal = by === issuer;
  const id = isLocal ? sub : `${by} ${sub}`;
  const own = isLocal || account === undefined ? {} : { account };
  return { id, sub, user: username || sub, isLocal, ...own };
}

/**
 * Whether a document is public, or this owner's. One that has a user but no owner was put into the index
 * by whoever runs it, who names people as they sign in here: nobody of an outside provider is meant.
 */
export function mayRead(
  { id, user, isLocal }: Owner,
  document: { readonly owner: string | undefined; readonly user: string | undefined },
): boolean {
  if (document.owner !== undefined) return document.owner === id;
  return document.user === undefined || (isLocal && document.user === user);
}
