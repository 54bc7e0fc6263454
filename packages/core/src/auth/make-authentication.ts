import { createHash } from 'node:crypto'
import { createVerifier, derivePairwiseKey, type SigningKey } from '@sibyl/identity'
import type { ApiKeyList } from '../config/api-keys.ts'
import type { Authentication } from './authenticate.ts'
import type { BearerStore } from './bearer-store.ts'
import type { RevocationStore } from './revocation-store.ts'

/** The variable that lists the API keys of the oracle's own routes. */
export const apiKeyVariable = 'ORACLE_API_KEYS'

/** Difference of clocks that is forgiven, in seconds. */
export const skewSeconds = 60

/** What the judge of requests is made from. */
export interface AuthenticationParts {
  /** Undefined while no signing mnemonic is loaded. */
  readonly key: SigningKey | undefined
  readonly publicDid: () => string
  readonly access: 'open' | 'delegated'
  /** DIDs that may grant access besides the oracle itself. */
  readonly controllers: readonly string[]
  /** Those of `ORACLE_API_KEYS`. */
  readonly apiKeys: ApiKeyList
  readonly apiKeyDid: ApiKeyDid
  readonly bearers: Pick<BearerStore, 'find'>
  readonly revocations: Pick<RevocationStore, 'findRevoked'>
  readonly now: () => number
}

/**
 * Makes the judge of requests, made anew when the public DID becomes another (with PORT=0 it is known once the oracle
 * listens).
 */
export const makeAuthentication = (parts: AuthenticationParts): (() => Authentication) => {
  const { key, publicDid, access, controllers, bearers, revocations, now } = parts
  const apiKeyActor = apiKeyActors(parts)
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

/** A name for the oracle's key and for who may use it. */
const policyName = (key: SigningKey | undefined, access: string, controllers: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify([key?.did, access, controllers.toSorted()]))
    .digest('base64url')

/** The DID that an API key acts as where its entry names none, by the name of the key; undefined while no signing mnemonic is loaded. */
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

const apiKeyActors =
  ({ key, apiKeys, apiKeyDid }: AuthenticationParts): Authentication['apiKeyActor'] =>
  presented => {
    const found = key && apiKeys.find(presented)
    const did = found && (found.did ?? apiKeyDid(found.name))
    if (!found || did === undefined) return undefined
    return {
      did,
      via: 'api-key',
      scopes: found.scopes,
      grant: { apiKey: { variable: apiKeyVariable, name: found.name } },
    }
  }
