import { UserError } from "../../platform/errors.js";

/** No token could be had. The message is one sentence for the person who asked. */
export class AuthenticationError extends UserError {
  override readonly name = "AuthenticationError";
  constructor(message: string, options?: ErrorOptions & { readonly status?: number }) {
    super(message, options);
    this.status = options?.status;
  }
  /** The HTTP status, where the service answered. */
  readonly status: number | undefined;
}
