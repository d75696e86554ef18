import { UserError } from "../../platform/errors.js";

/** No token could be obtained. The message is one sentence for the user. */
export class AuthenticationError extends UserError {
  override readonly name = "AuthenticationError";
  constructor(
    message: string,
    options?: ErrorOptions & { readonly status?: number; readonly isTemporary?: boolean },
  ) {
    super(message, options);
    this.status = options?.status;
    this.isTemporary = options?.isTemporary ?? false;
  }
  /** The HTTP status, if the service answered. */
  readonly status: number | undefined;
  /** Whether the same request may succeed later. */
  readonly isTemporary: boolean;
}
