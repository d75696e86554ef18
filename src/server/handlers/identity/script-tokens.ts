/** Tokens that users make for their own programs. */
import type { components } from "../../../../generated/openapi.js";
import { invalidParameter } from "../../../domain/errors.js";
import { UNSEEN } from "../../../domain/text/invisible-characters.js";
import { NoSuchData } from "../../../files/errors.js";
import { issuerOf } from "../../../identity/auth.js";
import { NotWithThisToken } from "../../../identity/errors.js";
import { MAX_SCRIPT_TOKENS, type ScriptToken } from "../../../identity/tokens/script-tokens.js";
import type { Sender } from "../../contract/operation.js";
import { NO_STORE, uncached } from "../common/caching.js";
import type { Handler } from "../services.js";

/** Seconds that a token lives if the request does not say: 30 days. */
const LIFETIME = 2_592_000;

const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);

const describe = ({
  id,
  name,
  created,
  expires,
}: ScriptToken): components["schemas"]["ScriptToken"] => ({
  token_id: id,
  name,
  created: seconds(created),
  expires: seconds(expires),
});

/** Requires a token from a sign-in with an account of this service. */
function requireSignIn({ principal, caller }: Sender): void {
  if (principal.isScript) {
    throw new NotWithThisToken(
      "A token for scripts cannot make, list or end tokens for scripts: sign in for that.",
    );
  }
  if (principal.issuer !== issuerOf(caller.base)) {
    throw new NotWithThisToken(
      "There are tokens for scripts for accounts of this service only. Your account is at an outside identity provider: get tokens for scripts there.",
    );
  }
}

export const listScriptTokens: Handler<"listScriptTokens"> = async (request, { auth }) => {
  requireSignIn(request);
  const tokens = await auth.scriptTokens.list(request.principal);
  return uncached({ most: MAX_SCRIPT_TOKENS, script_tokens: tokens.map(describe) });
};

/** Makes a token. Only this answer shows it. */
export const createScriptToken: Handler<"createScriptToken"> = async (request, { auth }) => {
  requireSignIn(request);
  const { name, ttl_seconds: lifetime = LIFETIME } = request.body;
  requirePlain(name);
  request.context.record({ seconds: lifetime });
  const { token, ...made } = await auth.scriptTokens.make(request.principal, name, lifetime);
  const body = { ...describe(made), token };
  return { status: 201, type: "application/json", headers: NO_STORE, body };
};

/** Refuses a name that is blank, or could disguise itself in a list. */
function requirePlain(name: string): void {
  const isBlank = name.trim() === "";
  if (!isBlank && name.isWellFormed() && name.search(UNSEEN) < 0) return;
  const reason = isBlank
    ? "must not be blank"
    : "must have no control characters, line breaks or characters that change the direction of writing";
  throw invalidParameter("name", reason, "body");
}

export const endScriptToken: Handler<"endScriptToken"> = async (request, { auth }) => {
  requireSignIn(request);
  if (await auth.scriptTokens.end(request.principal, request.path.token_id)) return { status: 204 };
  throw new NoSuchData("You have no such token.");
};
