/** What the package exports for programs. */
export { type AuthenticateOptions, authenticate, type Token } from "./authenticate.js";
export { AuthenticationError } from "./authentication-error.js";
export {
  addUserData,
  deleteUserData,
  UserDataError,
  type UserDataRequest,
  type UserDataSelection,
} from "./user-data.js";
