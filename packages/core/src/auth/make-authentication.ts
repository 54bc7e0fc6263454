import { createHash } from 'node:crypto'
import { createVerifier, derivePairwiseKey, type SigningKey } from '@sibyl/identity'
import type { ApiKeyList } from '../config/api-keys.ts'
import type { Authentication } from './authenticate.ts'
import type { BearerStore } from './bearer-store.ts'
import type { RevocationStore } from './revocation-store.ts'

/** The variable with the API keys for the routes of core. */
export const apiKeyVariable = 'ORACLE_API_KEYS'

/** Tolerated clock skew, in seconds. */
export const skewSeconds = 60

/** Dependencies of `makeAuthentication`. */
export interface AuthenticationParts {
  /** Undefined without a signing mnemonic. */
  readonly key: SigningKey | undefined
  readonly publicDid: () => string
  readonly access: 'open' | 'delegated'
  /** DIDs that may grant access besides the oracle itself. */
  readonly controllers: readonly string[]
  /** Those of `ORACLE_API_KEYS`. */
  readonly apiKeys: ApiKeyList
  readonly bearers: Pick<BearerStore, 'find'>
  readonly revocations: Pick<RevocationStore, 'findRevoked'>
  readonly now: () => number
}

/** Creates the authentication, again if the public DID changes (with PORT=0 it is known once the oracle listens). */
export const makeAuthentication = (parts: AuthenticationParts): (() => Authentication) => {
  const { key, publicDid, access, controllers, bearers, revocations, now } = parts
  const apiKeyActor = apiKeyActors(key, parts.apiKeys)
  const policy = policyName(key, access, controllers)
  let made: { readonly did: string; readonly authentication: Authentication } | undefined
  const make = (did: string): Authentication => ({
    verifier:
      key &&
      createVerifier({
        audience: [key.did, did],
        rootIssuers: () => (access === 'open' ? { access } : { access, roots: [key.did, ...controllers] }),
        findRevoked: hashes => revocations.findRevoked(hashes),
        now,
        skewSeconds,
      }),
    resources: key ? [`oracle:${key.did}`, `oracle:${did}`] : [`oracle:${did}`],
    skewSeconds,
    policy,
    bearers,
    apiKeyActor,
    now,
  })
  return () => {
    const did = publicDid()
    if (made?.did !== did) made = { did, authentication: make(did) }
    return made.authentication
  }
}

/** Returns an identifier of the key of the oracle and the access policy. */
const policyName = (key: SigningKey | undefined, access: string, controllers: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify([key?.did, access, controllers.toSorted()]))
    .digest('base64url')

/**
 * Creates the actors of API keys. A key without a DID gets one that is derived from the key of the oracle and its name.
 */
const apiKeyActors = (key: SigningKey | undefined, list: ApiKeyList): Authentication['apiKeyActor'] => {
  const dids = new Map<string, string>()
  return presented => {
    const found = key && list.find(presented)
    if (!found) return undefined
    const did = found.did ?? dids.get(found.name) ?? derivePairwiseKey(key, 'api-key', found.name).did
    if (found.did === undefined) dids.set(found.name, did)
    return {
      did,
      via: 'api-key',
      scopes: found.scopes,
      grant: { apiKey: { variable: apiKeyVariable, name: found.name } },
    }
  }
}
