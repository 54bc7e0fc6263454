import { abilityCovers } from './capability.ts'
import { ChainCheck, type ChainLink } from './chain-check.ts'
import { acceptableFrom } from './check-times.ts'
import { MAX_DELEGATION_LIFETIME_SECONDS, MAX_INVOCATION_LIFETIME_SECONDS } from './lifetimes.ts'
import { type AccessPolicy, explainMissing, type HeldAbility, heldAbilities } from './proof-chain.ts'
import { PublicKeyCache } from './public-key-cache.ts'
import type { Fact } from './read-claims.ts'
import { defaultTokenLimits, isRefusal, type Link, linksOf, readToken, type TokenLimits } from './read-token.ts'
import { type Refusal, refuse } from './refusal.ts'
import { type ChainRevocationVerdict, type Revocation, verifyRevocation } from './revocation.ts'
import { type DelegationVerdict, verifyDelegation } from './verify-delegation.ts'

export interface VerifierOptions {
  /** The DIDs under which the verifier is addressed, such as its `did:key` and its `did:web`. */
  readonly audience: readonly string[]
  /** Returns the owners of a resource, by the main name of the required one: never from the token. */
  readonly rootIssuers: (resource: string) => AccessPolicy | Promise<AccessPolicy>
  /**
   * Gives one of these tokens that is revoked, by its `tokenHash`. Asked once, for the token and all its proofs.
   *
   * @default none is
   */
  readonly findRevoked?: (hashes: readonly string[]) => string | undefined | Promise<string | undefined>
  /** The clock, milliseconds since 1970. @default Date.now */
  readonly now?: () => number
  /** Tolerated clock skew between issuer and verifier. @default 60 */
  readonly skewSeconds?: number
  /** The longest life of an accepted token. @default 900 */
  readonly maxLifetimeSeconds?: number
  /** The longest life of an accepted proof. @default 7776000 (90 days) */
  readonly maxDelegationLifetimeSeconds?: number
  /** Limits that differ from `defaultTokenLimits`. */
  readonly limits?: Partial<TokenLimits> | undefined
}

/** The capability that a token must have. */
export interface RequiredCapability {
  /** The resource, or all names of the one resource with the main one first. */
  readonly resource: string | readonly [string, ...string[]]
  /** The ability, such as `chat/send`. */
  readonly ability: string
}

/** An accepted token. */
export interface Invocation {
  /** The DID that signed. */
  readonly issuer: string
  /**
   * The DID that acts: the issuer. It is `rootIssuer` only where the token and every link of its chain name
   * `impersonationAbility` exactly.
   */
  readonly actor: string
  /** The DID with which the chain begins: who granted. Without proofs it is the issuer. */
  readonly rootIssuer: string
  /**
   * The DID that the root authorized: the audience of its delegation, or the root itself if it acts or access is open.
   * Limits count it, because a holder can delegate to any number of fresh keys.
   */
  readonly holder: string
  /** The one of the verifier's DIDs that the token is addressed to. */
  readonly audience: string
  /**
   * All abilities and patterns that the token really holds on the resource. With open access and for an `actor` other than
   * the issuer, those that come from `rootIssuer` alone; for such an actor those whose chain names `impersonationAbility`.
   */
  readonly abilities: readonly string[]
  /** Seconds since 1970. With the skew added it is accepted no longer. */
  readonly expiresAt: number
  /** Seconds since 1970. Before this moment the verifier would have refused it, by its start and its longest lifetime. */
  readonly acceptableFrom: number
  readonly nonce: string
  /** The `tokenHash`, on which a replay guard keys. */
  readonly hash: string
  readonly facts: readonly Fact[]
  /** All tokens of its chain, the outermost first. */
  readonly links: readonly ChainLink[]
}

/** The verdict on a token. */
export type Verdict = { readonly ok: true; readonly invocation: Invocation } | Refusal

/** Judges tokens. */
export interface Verifier {
  /**
   * Judges an invocation. Limits, times, addresses and the chain of rights are checked first, then every signature,
   * then every revocation. All proofs must hold, also those that the right does not rest on.
   * Replays are not looked for: key on `invocation.hash` until `expiresAt` plus the skew.
   *
   * @param token an encoded UCAN, from outside
   * @param required what it must allow
   * @returns a verdict; rejects only when `rootIssuers` or `findRevoked` does
   */
  verify(token: string, required: RequiredCapability): Promise<Verdict>
  /**
   * Verifies a delegation that is used as a proof: limits, times, audiences, attenuation, signatures and revocations.
   * The invoked service checks the owner of the resources.
   *
   * @param token an encoded UCAN, from outside
   * @param audience the DID that must be its audience
   * @returns a verdict; rejects only when `findRevoked` does
   */
  verifyDelegation(token: string, audience: string): Promise<DelegationVerdict>
  /**
   * Judges a revocation of a token: the statement, and whether the chain of the token could be accepted: limits, addresses,
   * times, rights on the resource and every signature. One that is revoked already may be revoked again. A chain that has
   * expired is not judged further.
   *
   * @param revocation from outside
   * @param token the encoded UCAN that it names
   * @param resource what the chain would have to grant something on; without that `holder` is undefined
   * @returns a verdict; rejects only when `rootIssuers` does
   */
  verifyRevocation(
    revocation: Revocation,
    token: string,
    resource: RequiredCapability['resource'],
  ): Promise<ChainRevocationVerdict>
}

const CACHED_KEYS = 1_000

/**
 * Makes a verifier of UCANs (version 0.8.1, JWT, Ed25519 `did:key` issuers).
 *
 * @example
 * const verifier = createVerifier({
 *   audience: [oracle.did, 'did:web:oracle.example'],
 *   rootIssuers: () => ({ access: 'delegated', roots: [oracle.did, ...controllers] }),
 *   findRevoked: hashes => hashes.find(hash => revocations.has(hash)),
 * })
 * const verdict = await verifier.verify(token, { resource: `oracle:${oracle.did}`, ability: 'chat/send' })
 * if (!verdict.ok) return unauthorized(verdict.reason)
 */
export function createVerifier(options: VerifierOptions): Verifier {
  const { audience, rootIssuers, findRevoked = () => undefined, now = Date.now } = options
  const limits = { ...defaultTokenLimits, ...options.limits }
  const timeRules = {
    skewSeconds: options.skewSeconds ?? 60,
    maxLifetimeSeconds: options.maxLifetimeSeconds ?? MAX_INVOCATION_LIFETIME_SECONDS,
    maxDelegationLifetimeSeconds: options.maxDelegationLifetimeSeconds ?? MAX_DELEGATION_LIFETIME_SECONDS,
  }
  const keys = new PublicKeyCache(CACHED_KEYS)
  const check = new ChainCheck({ keys, findRevoked })
  const seconds = () => Math.floor(now() / 1000)

  async function verify(token: string, { resource, ability }: RequiredCapability): Promise<Verdict> {
    const read = readToken(token, limits)
    if (isRefusal(read)) return read
    const { claims } = read

    if (!audience.includes(claims.audience))
      return refuse('wrong_audience', 'The audience of the token is another DID.')
    if (claims.nonce === undefined) return refuse('nonce_missing', 'The token has no nonce: set nnc.')
    const refusal = check.checkClaims(read, { ...timeRules, now: seconds() })
    if (refusal) return refusal

    const [mainName, ...otherNames] = typeof resource === 'string' ? [resource] : resource
    const names = new Set([mainName, ...otherNames])
    const policy = await rootIssuers(mainName)
    const held = heldAbilities(read, names, policy)
    const authorities = held.filter(it => abilityCovers(it.ability, ability))
    const authority = authorities.find(it => it.asRoot) ?? authorities[0]
    if (!authority) return explainMissing(read, names, ability)

    const links = await check.checkGenuine(read)
    if (isRefusal(links)) return links
    // What one root granted is not for acting as another; with open access roots are not mixed at all.
    const isOfTheActor = (it: HeldAbility) =>
      (it.root === authority.root || (policy.access === 'delegated' && !authority.asRoot)) &&
      (it.asRoot || !authority.asRoot)
    return {
      ok: true,
      invocation: {
        issuer: claims.issuer,
        actor: authority.asRoot ? authority.root : claims.issuer,
        rootIssuer: authority.root,
        holder: holderOf(authority, read, policy),
        audience: claims.audience,
        abilities: [...new Set(held.filter(isOfTheActor).map(it => it.ability))],
        expiresAt: claims.expiresAt,
        acceptableFrom: acceptableFrom(claims, timeRules),
        nonce: claims.nonce,
        hash: links[0]!.hash,
        facts: claims.facts,
        links,
      },
    }
  }

  async function judgeRevocation(
    revocation: Revocation,
    token: string,
    resource: RequiredCapability['resource'],
  ): Promise<ChainRevocationVerdict> {
    const verdict = verifyRevocation(revocation, token)
    if (!verdict.ok) return verdict
    const read = readToken(token, limits)
    if (isRefusal(read)) return read
    const links = linksOf(read)
    const expiresAt = Math.min(...links.map(({ claims }) => claims.expiresAt))
    if (expiresAt + timeRules.skewSeconds <= seconds())
      return { ok: true, hash: verdict.hash, expiresAt, holder: undefined }

    // A chain can be revoked before it becomes valid.
    const validFrom = Math.max(...links.map(({ claims }) => claims.notBefore ?? 0))
    const maxLifetimeSeconds = timeRules.maxDelegationLifetimeSeconds
    const rules = { ...timeRules, maxLifetimeSeconds, now: Math.max(seconds(), validFrom) }
    const refusal = check.checkClaims(read, rules) ?? (await check.checkSignatures(read))
    if (refusal) return refusal
    const [mainName, ...otherNames] = typeof resource === 'string' ? [resource] : resource
    const policy = await rootIssuers(mainName)
    const [held] = heldAbilities(read, new Set([mainName, ...otherNames]), policy)
    return { ok: true, hash: verdict.hash, expiresAt, holder: held && holderOf(held, read, policy) }
  }

  return {
    verify,
    verifyRevocation: judgeRevocation,
    async verifyDelegation(token, addressee) {
      const read = readToken(token, limits)
      if (isRefusal(read)) return read
      const maxLifetimeSeconds = timeRules.maxDelegationLifetimeSeconds
      return verifyDelegation(read, addressee, { ...timeRules, maxLifetimeSeconds, now: seconds() }, check)
    },
  }
}

/** Returns the DID that the root of a chain authorized. */
function holderOf({ root, granted }: HeldAbility, { claims }: Link, { access }: AccessPolicy): string {
  return access === 'open' || root === claims.issuer ? root : granted
}
