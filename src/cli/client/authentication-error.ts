import { UserError } from "../../platform/errors.js";

/** No token could be obtained. The message is one sentence for the user. */
export class AuthenticationError extends UserError {
  override readonly name = "AuthenticationError";
  constructor(message: string, options?: ErrorOptions & { readonly status?: number }) {
    super(message, options);
    this.status = options?.status;
  }
  /** The HTTP status, if the service answered. */
  readonly status: number | undefined;
}
