import type { Client } from "../../../identity/accounts/clients.js";
import type { Auth } from "../../../identity/auth.js";
import { InvalidTokenRequest } from "../../../identity/errors.js";
import type { Caller } from "../../contract/caller.js";

interface ClientForm {
  readonly client_id?: string | undefined;
  readonly client_secret?: string | undefined;
}

/**
 * Authenticates the client by id and secret, in the form or in HTTP Basic authentication (RFC 6749, 2.3.1).
 *
 * @throws InvalidClient; InvalidTokenRequest if it uses both
 */
export async function callingClient(auth: Auth, form: ClientForm, caller: Caller): Promise<Client> {
  const { client_id: id, client_secret: secret } = form;
  if (caller.basic === undefined) return auth.clients.authenticate({ id, secret, basic: false });
  if (secret || (id && id !== caller.basic.id)) {
    throw new InvalidTokenRequest("The client shows itself in two ways; one is enough.");
  }
  return auth.clients.authenticate({ ...caller.basic, basic: true });
}
