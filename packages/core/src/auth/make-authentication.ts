import { createVerifier, type SigningKey } from '@sibyl/identity'
import type { Authentication } from './authenticate.ts'

/** Difference of clocks that is forgiven, in seconds. */
const skewSeconds = 60

/**
 * Makes the judge of invocations, made anew when the public DID becomes another (with PORT=0 it is known once the
 * oracle listens).
 *
 * @param controllers DIDs that may grant access besides the oracle itself.
 */
export const makeAuthentication = (
  key: SigningKey | undefined,
  publicDid: () => string,
  access: 'open' | 'delegated',
  controllers: readonly string[],
  now: () => number,
): (() => Authentication) => {
  let made: { readonly did: string; readonly authentication: Authentication } | undefined
  const make = (did: string): Authentication => ({
    verifier:
      key &&
      createVerifier({
        audience: [key.did, did],
        rootIssuers: () => (access === 'open' ? { access } : { access, roots: [key.did, ...controllers] }),
        now,
        skewSeconds,
      }),
    resources: key ? [`oracle:${key.did}`, `oracle:${did}`] : [`oracle:${did}`],
    skewSeconds,
    access,
  })
  return () => {
    const did = publicDid()
    if (made?.did !== did) made = { did, authentication: make(did) }
    return made.authentication
  }
}
