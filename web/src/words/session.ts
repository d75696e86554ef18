/** Texts about the sign-in. */
export const words = {
  over: "Your sign-in has ended. Sign in again to go on.",
  elsewhere: "You have signed out in another tab.",
  failed: "Signing in did not work. Please try again.",
  unreachable: "Signing in did not work, as the service did not answer. Please try again.",
  needsHttps: "Signing in needs https: ask whoever runs this service for its https address.",
  outside: "You are signed out here. At your identity provider you may still be signed in.",
} as const;
