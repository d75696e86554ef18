/** The claims of the outside provider's tokens: who is an administrator, and the accounts of users on this machine. */
import type { JWTPayload } from "jose";
import { isObject } from "../../domain/text/json-object.js";
import type { ClaimedAccount } from "../../domain/user-data/owner.js";
import { MAX_ID } from "../../platform/processes/system-accounts.js";

/** The claim that marks administrators in the outside provider's access tokens. */
export interface AdministratorClaim {
  /** The claim's name, or its path with dots between names. */
  readonly path: string;
  /** Its value, or an element of its list. */
  readonly value: string;
}

/** Paths of the claims in a token, with dots between names. */
export interface AccountClaims {
  readonly uid?: string;
  readonly groups?: string;
}

/** Whether a token has the claim. Claim names may contain dots: some providers use addresses. */
export function hasClaim(payload: JWTPayload, { path, value }: AdministratorClaim): boolean {
  return valuesAt(payload, path).some((found) => {
    // Scopes are one text, separated by spaces (RFC 9068, 2.2.3).
    if (path === "scope" && typeof found === "string") return found.split(" ").includes(value);
    return [found].flat().some((one) => String(one) === value && typeof one !== "object");
  });
}

const claimsAt = (payload: JWTPayload, path: string): unknown[] => valuesAt(payload, path).flat();

function valuesAt(object: unknown, path: string): unknown[] {
  if (!isObject(object)) return [];
  const own = (name: string): unknown[] => (Object.hasOwn(object, name) ? [object[name]] : []);
  const found = own(path);
  for (let dot = path.indexOf("."); dot >= 0; dot = path.indexOf(".", dot + 1)) {
    const [inner] = own(path.slice(0, dot));
    found.push(...valuesAt(inner, path.slice(dot + 1)));
  }
  return found;
}

const MAX_GROUPS = 1000;

const idOf = (value: unknown): number | undefined => {
  const id = typeof value === "string" && /^\d{1,10}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(id) && Number(id) >= 0 && Number(id) < MAX_ID
    ? Number(id)
    : undefined;
};

/**
 * The numeric user and group ids of a user on this machine. Names are ignored: they may differ here.
 *
 * @returns undefined if the token has no user id, or more than one
 */
export function claimedAccount(
  payload: JWTPayload,
  { uid: uidPath, groups: groupsPath }: AccountClaims,
): ClaimedAccount | undefined {
  const found = uidPath === undefined ? [] : claimsAt(payload, uidPath).map(idOf);
  const uid = found.length === 1 ? found[0] : undefined;
  if (uidPath !== undefined && uid === undefined) return undefined;
  const groups = groupsPath === undefined ? undefined : claimsAt(payload, groupsPath);
  const gids = groups?.map(idOf).filter((gid) => gid !== undefined);
  return { ...(uid !== undefined && { uid }), ...(gids && { gids: gids.slice(0, MAX_GROUPS) }) };
}
