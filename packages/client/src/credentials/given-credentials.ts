import type { Credentials } from './credentials.ts'

/** A token from elsewhere: an API key, an exchanged bearer, or a function that returns one. */
export type GivenToken = string | (() => string | Promise<string>)

/** One token for every request, as it was given. */
export const givenCredentials = (token: GivenToken): Credentials => ({
  tokenFor: async () => (typeof token === 'string' ? token : token()),
  renew: () => false,
})
