/** The longest that an invocation may live, in seconds: 15 minutes. */
export const MAX_INVOCATION_LIFETIME_SECONDS = 900

/** The longest that a delegation may live, in seconds: 90 days. */
export const MAX_DELEGATION_LIFETIME_SECONDS = 7_776_000
