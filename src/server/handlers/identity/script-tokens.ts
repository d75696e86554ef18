/** Tokens that users make for their own programs. */
import type { components } from "../../../../generated/openapi.js";
import { InvalidParameters } from "../../../domain/errors.js";
import { UNSEEN } from "../../../domain/text/invisible-characters.js";
import { NoSuchData } from "../../../files/errors.js";
import { issuerOf } from "../../../identity/auth.js";
import { NotWithThisToken } from "../../../identity/errors.js";
import type { Principal } from "../../../identity/principal.js";
import { MAX_SCRIPT_TOKENS, type ScriptToken } from "../../../identity/tokens/script-tokens.js";
import type { Caller } from "../../contract/caller.js";
import type { Handler } from "../../contract/operation.js";
import type { Services } from "../services.js";

const NO_STORE = { "Cache-Control": "no-store" };

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

/**
 * Requires a token from a sign-in with an account of this service.
 *
 * @throws NotWithThisToken
 */
function requireSignIn({ principal, caller }: { principal: Principal; caller: Caller }): void {
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

/** Lists the caller's tokens. */
export function listScriptTokens({ auth }: Services): Handler<"listScriptTokens"> {
  return async (request) => {
    requireSignIn(request);
    const tokens = await auth.scriptTokens.list(request.principal);
    return {
      status: 200,
      type: "application/json",
      headers: NO_STORE,
      body: { most: MAX_SCRIPT_TOKENS, script_tokens: tokens.map(describe) },
    };
  };
}

/** Makes a token. Only this answer shows it. */
export function createScriptToken({ auth }: Services): Handler<"createScriptToken"> {
  return async (request) => {
    requireSignIn(request);
    const { name, ttl_seconds: lifetime = LIFETIME } = request.body;
    requirePlain(name);
    request.context.record({ seconds: lifetime });
    const { token, ...made } = await auth.scriptTokens.make(request.principal, name, lifetime);
    const body = { ...describe(made), token };
    return { status: 201, type: "application/json", headers: NO_STORE, body };
  };
}

/** @throws InvalidParameters for a name that is blank, or could disguise itself in a list */
function requirePlain(name: string): void {
  const isBlank = name.trim() === "";
  if (!isBlank && name.isWellFormed() && name.search(UNSEEN) < 0) return;
  const reason = isBlank
    ? "must not be blank"
    : "must have no control characters, line breaks or characters that change the direction of writing";
  throw new InvalidParameters([{ name: "name", in: "body", reason }]);
}

/** Ends a token of the caller. */
export function endScriptToken({ auth }: Services): Handler<"endScriptToken"> {
  return async (request) => {
    requireSignIn(request);
    if (await auth.scriptTokens.end(request.principal, request.path.token_id))
      return { status: 204 };
    throw new NoSuchData("You have no such token.");
  };
}
