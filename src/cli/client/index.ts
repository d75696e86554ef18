/** The client library that the package exports. */
export { type AuthenticateOptions, authenticate, type Credentials } from "./authenticate.js";
export { AuthenticationError } from "./authentication-error.js";
export type { Token } from "./request-token.js";
export {
  addUserData,
  deleteUserData,
  UserDataError,
  type UserDataRequest,
  type UserDataSelection,
} from "./user-data.js";
