import { abilityCovers, type ChainLink, type Verifier } from '@sibyl/identity'
import type { Actor } from '@sibyl/plugin'
import type { CredentialSource } from '@sibyl/plugin/host'
import { maxKeyLength } from '../config/api-keys.ts'
import { type BearerStore, isBearerToken } from './bearer-store.ts'
import type { CheckGrant } from './grant-check.ts'
import type { SpentNonce } from './revocation-store.ts'

/** The verified invocation of a request. */
export interface ProvenInvocation {
  /** Spent once, except for a GET. */
  readonly nonce: SpentNonce
  /** All tokens of its chain, the outermost first. */
  readonly links: readonly ChainLink[]
  /** The earliest time at which it could be used, in milliseconds since 1970. */
  readonly acceptableFrom: number
}

/** The authenticated caller of a request. */
export interface Authenticated {
  readonly actor: Actor
  /** Missing for a bearer or an API key, which are valid for many requests. */
  readonly invocation?: ProvenInvocation
}

/** The reason why authentication failed. */
export interface Unauthenticated {
  readonly status: 401 | 403
  readonly code: string
  readonly title: string
  readonly detail: string
  /** The ability that the credential does not have. */
  readonly scope?: string
}

export interface Authentication {
  /** Undefined without a signing mnemonic: then every caller is rejected. */
  readonly verifier: Verifier | undefined
  /** The names of the resource: `oracle:<did>` for each of the oracle's DIDs. */
  readonly resources: readonly [string, ...string[]]
  readonly skewSeconds: number
  /**
   * Identifies the key of the oracle and the access policy; bearers are valid only under the policy that issued them.
   */
  readonly policy: string
  readonly bearers: Pick<BearerStore, 'find'>
  /** Stored API keys, and the credentials of plugins. */
  readonly credentials: readonly CredentialSource[]
  readonly checkGrant: CheckGrant
  /** Returns the actor for one of `ORACLE_API_KEYS`. @param user The user whom the client named. */
  readonly apiKeyActor: (presented: string, user?: string) => Actor | undefined
  readonly now: () => number
}

/** The ability to issue a bearer; every bearer has it, to revoke itself. */
export const bearerAbility = 'auth/token'

const bearer = /^Bearer ([\w.~+/=-]+)$/i

/** The credential of a request, as all routes read it. */
export interface Presented {
  readonly token: string | undefined
  /** The user whom the client named, as a hash. */
  readonly user: string | undefined
}

/** Reads the token of an `Authorization: Bearer` header. */
export const bearerToken = (header: string | undefined): string | undefined => bearer.exec(header ?? '')?.[1]

/**
 * Authenticates a request by its token against the ability of its route: one of `ORACLE_API_KEYS`, a stored credential, a
 * bearer of this oracle, or a UCAN invocation.
 *
 * @param path The path of the request.
 */
export const authenticate = async (
  presented: Presented,
  ability: string,
  authentication: Authentication,
  path: string,
): Promise<Authenticated | Unauthenticated> => {
  const { verifier } = authentication
  if (!verifier) return refusals.signingKeyMissing
  const { token } = presented
  if (token === undefined) return refusals.missing
  const held = await holderOfToken({ ...presented, token }, authentication, path)
  if (held === undefined) return invoke(token, ability, verifier, authentication)
  if (!('actor' in held)) return held
  return held.isBearer && ability === bearerAbility ? { actor: held.actor } : within(held.actor, ability)
}

/** The actor of a credential that is not a UCAN. */
interface TokenHolder {
  readonly actor: Actor
  /** True for a bearer of `POST /auth/token`, which may always revoke itself. */
  readonly isBearer: boolean
}

/**
 * Returns the actor of one of `ORACLE_API_KEYS`, a stored credential or a bearer, without a check of its abilities; undefined
 * for what can only be a UCAN.
 */
export const holderOfToken = async (
  { token, user }: Presented & { readonly token: string },
  authentication: Authentication,
  path: string,
): Promise<TokenHolder | Unauthenticated | undefined> => {
  const { bearers, credentials, policy, now } = authentication
  const keyHolder = authentication.apiKeyActor(token, user)
  if (keyHolder) return { actor: keyHolder, isBearer: false }
  const source = credentials.find(({ prefix }) => token.startsWith(prefix))
  if (source) {
    const actor = await holderOfCredential(source, token, path, authentication)
    return actor ? { actor, isBearer: false } : refusals.credentialRejected
  }
  if (isBearerToken(token)) {
    const grant = await bearers.find(token, policy, now())
    if (!grant) return refusals.bearerInvalid
    const { expiresAt: _, ...held } = grant
    return { actor: { ...held, via: 'bearer' }, isBearer: true }
  }
  return !token.includes('.') && token.length <= maxKeyLength ? refusals.unknown : undefined
}

/** Returns the actor of a stored credential while its grant is valid. */
const holderOfCredential = async (
  source: CredentialSource,
  token: string,
  path: string,
  { checkGrant }: Authentication,
): Promise<Actor | undefined> => {
  const actor = token.length <= maxKeyLength ? await source.find(token, path) : undefined
  if (!actor) return undefined
  // The source itself was just read; only the rest of the grant is checked.
  const { credential: _, ...rest } = actor.grant ?? {}
  const verdict = await checkGrant({ ...actor, grant: rest })
  return verdict.holds ? { ...verdict.actor, ...(actor.grant && { grant: actor.grant }) } : undefined
}

const within = (actor: Actor, ability: string): Authenticated | Unauthenticated =>
  actor.scopes.some(scope => abilityCovers(scope, ability)) ? { actor } : refusals.scopeMissing(actor, ability)

const invoke = async (
  token: string,
  ability: string,
  verifier: Verifier,
  { resources, skewSeconds }: Authentication,
): Promise<Authenticated | Unauthenticated> => {
  const verdict = await verifier.verify(token, { resource: resources, ability })
  if (!verdict.ok) {
    const forbidden = verdict.reason === 'capability_missing' || verdict.reason === 'untrusted_root'
    return {
      status: forbidden ? 403 : 401,
      code: `ucan_${verdict.reason}`,
      title: 'The invocation was rejected',
      detail: verdict.detail,
    }
  }
  const { invocation } = verdict
  return {
    actor: {
      did: invocation.actor,
      via: 'ucan',
      scopes: invocation.abilities,
      holder: invocation.holder,
      grant: { root: invocation.rootIssuer, links: invocation.links.slice(1) },
    },
    invocation: {
      nonce: { hash: invocation.hash, expiresAt: (invocation.expiresAt + skewSeconds) * 1000 },
      links: invocation.links,
      acceptableFrom: invocation.acceptableFrom * 1000,
    },
  }
}

const refusals = {
  signingKeyMissing: {
    status: 401,
    code: 'signing_key_missing',
    title: 'Authentication is not configured',
    detail: 'No signing mnemonic is loaded, so the oracle cannot accept invocations. Set ORACLE_MNEMONIC and restart.',
  },
  missing: {
    status: 401,
    code: 'ucan_missing',
    title: 'A UCAN invocation is required',
    detail: 'Send a UCAN invocation: Authorization: Bearer <token>. Its audience is in /.well-known/oracle.json.',
  },
  unknown: {
    status: 401,
    code: 'credential_unknown',
    title: 'Unknown credential',
    detail: 'The credential is not a UCAN invocation, a bearer of this oracle, or one of its API keys.',
  },
  bearerInvalid: {
    status: 401,
    code: 'bearer_invalid',
    title: 'The bearer was rejected',
    detail:
      'The bearer expired, was revoked, or belongs to another oracle. Exchange an invocation for a new one: POST /auth/token.',
  },
  credentialRejected: {
    status: 401,
    code: 'credential_rejected',
    title: 'The credential was rejected',
    detail:
      'The API key or access token is unknown, expired, revoked, or not for this path. Sign in again, or create a new API key.',
  },
  scopeMissing: ({ via, scopes }: Actor, ability: string) => ({
    status: 403,
    code: 'scope_missing',
    title: 'Outside the scopes of the credential',
    scope: ability,
    detail: `This ${via === 'bearer' ? 'bearer' : 'API key'} does not allow ${ability}. Its scopes: ${scopes.join(' ')}.`,
  }),
} as const satisfies Record<string, Unauthenticated | ((actor: Actor, ability: string) => Unauthenticated)>
