/** Texts about the sign-in. */
export const words = {
  over: "Your sign-in has expired. Sign in again to continue.",
  elsewhere: "You have signed out in another tab.",
  failed: "Signing in did not work. Please try again.",
  unreachable: "Signing in did not work because the service did not answer. Please try again.",
  needsHttps: "Signing in needs https. Ask the operator of this service for its https address.",
  outside: "You are signed out here. You may still be signed in at your identity provider.",
} as const;
