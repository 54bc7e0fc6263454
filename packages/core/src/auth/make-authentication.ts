import { createHash } from 'node:crypto'
import { createVerifier, derivePairwiseKey, type SigningKey } from '@sibyl/identity'
import type { ApiKeyList } from '../config/api-keys.ts'
import type { Authentication } from './authenticate.ts'
import type { OracleAddress } from './oracle-address.ts'
import type { RevocationStore } from './revocation-store.ts'

/** The variable with the API keys for the routes of core. */
export const apiKeyVariable = 'ORACLE_API_KEYS'

/** Tolerated clock skew, in seconds. */
export const skewSeconds = 60

export interface AuthenticationParts
  extends Pick<Authentication, 'bearers' | 'credentials' | 'checkGrant' | 'apiKeyActor' | 'now'> {
  /** Undefined without a signing mnemonic. */
  readonly key: SigningKey | undefined
  readonly address: OracleAddress
  readonly access: 'open' | 'delegated'
  /** DIDs that may grant access besides the oracle itself. */
  readonly controllers: readonly string[]
  readonly revocations: Pick<RevocationStore, 'findRevoked'>
}

/** Creates the authentication, again if the public DID changes (with PORT=0 it is known once the oracle listens). */
export const makeAuthentication = (parts: AuthenticationParts): (() => Authentication) => {
  const { key, address, access, controllers, revocations, ...shared } = parts
  const policy = policyName(key, access, controllers)
  let made: { readonly did: string; readonly authentication: Authentication } | undefined
  const make = (did: string): Authentication => ({
    verifier:
      key &&
      createVerifier({
        audience: [key.did, did],
        rootIssuers: () => (access === 'open' ? { access } : { access, roots: [key.did, ...controllers] }),
        findRevoked: hashes => revocations.findRevoked(hashes),
        now: shared.now,
        skewSeconds,
      }),
    resources: key ? [`oracle:${key.did}`, `oracle:${did}`] : [`oracle:${did}`],
    skewSeconds,
    policy,
    ...shared,
  })
  return () => {
    const { did } = address
    if (made?.did !== did) made = { did, authentication: make(did) }
    return made.authentication
  }
}

/** Returns an identifier of the key of the oracle and the access policy. */
const policyName = (key: SigningKey | undefined, access: string, controllers: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify([key?.did, access, controllers.toSorted()]))
    .digest('base64url')

/** Returns the DID of an API key without one, by the name of the key; undefined without a signing mnemonic. */
export type ApiKeyDid = (name: string) => string | undefined

/** Derives the DID of each API key from the oracle's key and the name of the API key, once. */
export const apiKeyDids = (key: SigningKey | undefined): ApiKeyDid => {
  const dids = new Map<string, string>()
  return name => {
    if (!key) return undefined
    const did = dids.get(name) ?? derivePairwiseKey(key, 'api-key', name).did
    dids.set(name, did)
    return did
  }
}

/** Returns what finds the actor of a key of `ORACLE_API_KEYS`. @param forwardedUser Returns the user whom a server named, if it may. */
export const apiKeyActors =
  (
    apiKeys: ApiKeyList,
    apiKeyDid: ApiKeyDid,
    forwardedUser: (name: string, user: string) => { readonly did: string; readonly user: string } | undefined,
  ): Authentication['apiKeyActor'] =>
  (presented, named) => {
    const found = apiKeys.find(presented)
    if (!found) return undefined
    const forwarded = named ? forwardedUser(found.name, named) : undefined
    const did = forwarded?.did ?? found.did ?? apiKeyDid(found.name)
    if (did === undefined) return undefined
    const user = forwarded ? { user: forwarded.user } : {}
    return {
      did,
      via: 'api-key',
      scopes: found.scopes,
      grant: { apiKey: { variable: apiKeyVariable, name: found.name, ...user } },
    }
  }
