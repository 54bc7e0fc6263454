import { toBase64url } from '../encoding/base64url.ts'
import type { Signer } from '../keys/signing-key.ts'
import type { Capability } from './capability.ts'
import { checkTimes } from './check-times.ts'
import { InvalidMintRequestError } from './invalid-mint-request-error.ts'
import { MAX_DELEGATION_LIFETIME_SECONDS, MAX_INVOCATION_LIFETIME_SECONDS } from './lifetimes.ts'
import { checkAddressing, checkCoverage } from './proof-chain.ts'
import type { Fact } from './read-claims.ts'
import { defaultTokenLimits, isRefusal, readToken } from './read-token.ts'

/** The grant: abilities on one resource, or any list of capabilities. */
export type Grant =
  | { readonly resource: string; readonly abilities: readonly string[]; readonly capabilities?: undefined }
  | { readonly capabilities: readonly Capability[]; readonly resource?: undefined; readonly abilities?: undefined }

/** The content of a token. */
export type MintRequest = Grant & {
  /** The signer. With proofs: the audience of each of them. */
  readonly key: Signer
  /** DID of the one who is to receive the token: the service that is invoked, or the one who is given a right. */
  readonly audience: string
  /** Whole seconds until it expires. @default 300 for an invocation, 2592000 (30 days) for a delegation */
  readonly lifetimeSeconds?: number
  /** Delegations to the signer, which must cover all that is granted. */
  readonly proofs?: readonly string[]
  /** Statements to add. */
  readonly facts?: readonly Fact[]
  /** The clock, milliseconds since 1970. @default Date.now */
  readonly now?: (() => number) | undefined
}

/** The differences between the two kinds of token, in seconds. */
interface Kind {
  readonly lifetime: number
  readonly maxLifetime: number
  /** The backdating for a receiver whose clock is behind; undefined without a start time. */
  readonly backdated?: number
}

/**
 * Mints a UCAN that asks a service to do something now: for at most 15 minutes, with a nonce, valid from 30 s ago.
 *
 * @param request see `MintRequest`; `audience` is the service
 * @returns the token, for `Authorization: Bearer <token>`
 * @throws InvalidMintRequestError (`mint_request_invalid`) with the reason for which a verifier would refuse the token
 *
 * @example
 * const token = await mintInvocation({
 *   key,
 *   audience: oracle.did,
 *   resource: `oracle:${oracle.did}`,
 *   abilities: ['chat/send', 'session/read'],
 * })
 */
export function mintInvocation(request: MintRequest): Promise<string> {
  return mint(request, { lifetime: 300, maxLifetime: MAX_INVOCATION_LIFETIME_SECONDS, backdated: 30 })
}

/**
 * Mints a UCAN that lets its audience act for the signer: for at most 90 days, with a nonce. It names no start time,
 * because `ucans` and `@ucans/core` refuse every proof that does.
 *
 * @param request see `MintRequest`; `audience` is who receives the right, by the `did:key` they will sign with
 * @returns the token, to be used as one of the `proofs` of an invocation or of a further delegation
 * @throws InvalidMintRequestError (`mint_request_invalid`) with the reason for which a verifier would refuse the token
 *
 * @example
 * const delegation = await mintDelegation({ key: user, audience: oracle.did, resource: calendar, abilities: ['event/*'] })
 * const token = await mintInvocation({
 *   key: oracle, audience: calendarService, resource: calendar, abilities: ['event/create'], proofs: [delegation],
 * })
 */
export function mintDelegation(request: MintRequest): Promise<string> {
  return mint(request, { lifetime: 2_592_000, maxLifetime: MAX_DELEGATION_LIFETIME_SECONDS })
}

async function mint(request: MintRequest, kind: Kind): Promise<string> {
  const { key, audience, lifetimeSeconds = kind.lifetime, proofs = [], facts = [] } = request
  const capabilities =
    request.capabilities ?? request.abilities.map(ability => ({ resource: request.resource, ability }))
  const now = Math.floor((request.now ?? Date.now)() / 1000)

  const payload = {
    iss: key.did,
    aud: audience,
    att: capabilities.map(({ resource, ability }) => ({ with: resource, can: ability })),
    exp: now + lifetimeSeconds,
    nbf: kind.backdated === undefined ? undefined : now - kind.backdated,
    nnc: toBase64url(crypto.getRandomValues(new Uint8Array(16))),
    fct: facts.length > 0 ? facts : undefined,
    prf: proofs,
  }
  const signedData = `${encodeJson({ alg: 'EdDSA', typ: 'JWT', ucv: '0.8.1' })}.${encodeJson(payload)}`
  const token = `${signedData}.${toBase64url(await key.sign(new TextEncoder().encode(signedData)))}`

  const minted = readToken(token, defaultTokenLimits)
  if (isRefusal(minted)) throw new InvalidMintRequestError(minted)
  const refusal =
    checkTimes(minted, {
      now,
      skewSeconds: 0,
      maxLifetimeSeconds: kind.maxLifetime + (kind.backdated ?? 0),
      maxDelegationLifetimeSeconds: MAX_DELEGATION_LIFETIME_SECONDS,
    }) ??
    checkAddressing(minted) ??
    checkCoverage(minted)
  if (refusal) throw new InvalidMintRequestError(refusal)
  return token
}

function encodeJson(value: unknown): string {
  return toBase64url(new TextEncoder().encode(JSON.stringify(value)))
}
