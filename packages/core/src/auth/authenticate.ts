import type { Verifier } from '@sibyl/identity'
import type { SpentNonce } from '../sessions/spent-nonce.ts'
import type { Actor } from './actor.ts'

/** What an authenticated request proves. */
export interface Authenticated {
  readonly actor: Actor
  /** To be spent once for everything but GET. */
  readonly nonce: SpentNonce
}

/** Why a request is refused. */
export interface Unauthenticated {
  readonly status: 401 | 403
  readonly code: string
  readonly title: string
  readonly detail: string
}

/** What authentication rests on. */
export interface Authentication {
  /** Undefined while no signing mnemonic is loaded: then every invocation is refused. */
  readonly verifier: Verifier | undefined
  /** The names of the resource: `oracle:<did>` for each of the oracle's DIDs. */
  readonly resources: readonly [string, ...string[]]
  readonly skewSeconds: number
  readonly access: 'open' | 'delegated'
}

const bearer = /^Bearer ([\w.~+/=-]+)$/i

/** Reads the token of an `Authorization: Bearer` header. */
export const bearerToken = (header: string | undefined): string | undefined => bearer.exec(header ?? '')?.[1]

/** Judges the bearer of a request against the ability that its route asks for. */
export const authenticate = async (
  header: string | undefined,
  ability: string,
  { verifier, resources, skewSeconds, access }: Authentication,
): Promise<Authenticated | Unauthenticated> => {
  if (!verifier) {
    return {
      status: 401,
      code: 'signing_key_missing',
      title: 'This oracle cannot authenticate anybody now',
      detail: 'No signing mnemonic is loaded, so no invocation can be accepted. The operator sets ORACLE_MNEMONIC.',
    }
  }
  const token = bearerToken(header)
  if (token === undefined) {
    return {
      status: 401,
      code: 'ucan_missing',
      title: 'An invocation is needed',
      detail: 'Send a UCAN invocation: Authorization: Bearer <token>. Its audience is in /.well-known/oracle.json.',
    }
  }
  const verdict = await verifier.verify(token, { resource: resources, ability })
  if (!verdict.ok) {
    const forbidden = verdict.reason === 'capability_missing' || verdict.reason === 'untrusted_root'
    return {
      status: forbidden ? 403 : 401,
      code: `ucan_${verdict.reason}`,
      title: 'The invocation was refused',
      detail: verdict.detail,
    }
  }
  const { invocation } = verdict
  return {
    actor: {
      did: access === 'open' ? invocation.rootIssuer : invocation.issuer,
      via: 'ucan',
      scopes: invocation.abilities,
    },
    nonce: { hash: invocation.hash, expiresAt: (invocation.expiresAt + skewSeconds) * 1000 },
  }
}
