/** What the package exports for programs. */
export { type AuthenticateOptions, authenticate, type Token } from "./authenticate.js";
export { AuthenticationError } from "./authentication-error.js";
