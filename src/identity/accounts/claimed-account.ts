/**
 * The numeric user and group ids of this machine in tokens of the outside provider. Names are ignored: they may differ
 * here.
 */
import type { JWTPayload } from "jose";
import type { ClaimedAccount } from "../../domain/user-data/owner.js";
import { MAX_ID } from "../../platform/processes/system-accounts.js";
import { claimsAt } from "../administrators.js";

/** Paths of the claims in a token, with dots between names. */
export interface AccountClaims {
  readonly uid?: string;
  readonly groups?: string;
}

const MAX_GROUPS = 1000;

const idOf = (value: unknown): number | undefined => {
  const id = typeof value === "string" && /^\d{1,10}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(id) && Number(id) >= 0 && Number(id) < MAX_ID
    ? Number(id)
    : undefined;
};

/** @returns undefined if the token has no user id, or more than one */
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
