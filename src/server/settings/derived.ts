/** Parts of the configuration that several settings make together. */
import { resolve } from "node:path";
import { InvalidParameters } from "../../domain/errors.js";
import { buildSearch, type Search } from "../../domain/search/search.js";
import { FLAVOURS } from "../../domain/vocabulary/flavours.js";
import type { AuthSettings } from "../../identity/auth.js";
import { UserError } from "../../platform/errors.js";
import type { AuditSettings } from "../audit/audit.js";
import type { Environment } from "./environment.js";
import { list } from "./values.js";

/** An invalid setting. The message is one sentence that names it, without any password. */
export class InvalidConfig extends UserError {
  override readonly name = "InvalidConfig";
}

export function auditSettings(value: Environment): AuditSettings | undefined {
  const { AUDIT: where, AUDIT_DAYS: days, AUDIT_KEY: key = {} } = value;
  if (where === "off") return undefined;
  return { to: where === "stdout" ? where : { folder: resolve(where) }, days, key };
}

export function outsideIdentity(value: Environment): Pick<AuthSettings, "outside"> {
  const { OIDC_DISCOVERY_URL: url, OIDC_CLIENT_ID: id, OIDC_CLIENT_SECRET: secret } = value;
  if (url === undefined || id === undefined) return {};
  const audience = value.OIDC_AUDIENCE ?? id;
  const {
    OIDC_ADMIN_CLAIM: administrators,
    OIDC_UID_CLAIM: uid,
    OIDC_GROUPS_CLAIM: groups,
  } = value;
  const accounts = { ...(uid && { uid }), ...(groups && { groups }) };
  return {
    outside: {
      discoveryUrl: url.href,
      audience,
      client: { id, secret },
      ...(administrators && { administrators }),
      ...((uid || groups) && { accounts }),
    },
  };
}

/**
 * The searches of PUBLIC, which are separated by blanks. Each is a query such as `project=cmip6&experiment=historical`.
 *
 * @throws InvalidConfig for anything but facets of the native flavour with values
 */
export function publicSearches(text: string): readonly Search[] {
  return list(text, /\s/).map((one) => {
    const filters: Record<string, string[]> = {};
    const entries = [...new URLSearchParams(one)];
    for (const [key, value] of entries) filters[key] = [...(filters[key] ?? []), value];
    const wrong = (reason: string): InvalidConfig =>
      new InvalidConfig(`PUBLIC has the search ${JSON.stringify(one)}, which ${reason}.`);
    if (entries.some(([key, value]) => key.trim() === "" || value.trim() === "")) {
      throw wrong("must be facets with values, such as project=cmip6");
    }
    try {
      const options = { "multi-version": true, translate: true } as const;
      const select = { time_select: "flexible", bbox_select: "flexible" } as const;
      return buildSearch({
        path: { flavour: FLAVOURS.native, uniq_key: "file" },
        query: { ...options, ...select, filters },
      });
    } catch (error) {
      if (!(error instanceof InvalidParameters)) throw error;
      throw wrong(`is not valid: ${error.message.replace(/\.$/, "")}`);
    }
  });
}
