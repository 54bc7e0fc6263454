import { checkTimes, type TimeRules } from './check-times.ts'
import { checkAddressing } from './proof-chain.ts'
import type { PublicKeyCache } from './public-key-cache.ts'
import { type Link, linksOf } from './read-token.ts'
import { type Refusal, refuse } from './refusal.ts'
import { createSignatureCheck } from './signature-check.ts'
import { tokenHash } from './token-hash.ts'

/** One token of a verified chain. */
export interface ChainLink {
  /** The `tokenHash`, by which it can be revoked. */
  readonly hash: string
  readonly issuer: string
  /** Seconds since 1970. */
  readonly expiresAt: number
}

export interface ChainCheckOptions {
  readonly keys: PublicKeyCache
  /** Gives one of the hashes that is revoked. */
  readonly findRevoked: (hashes: readonly string[]) => string | undefined | Promise<string | undefined>
}

/** Checks what must hold of every link of a chain, whatever it is used for. */
export class ChainCheck {
  readonly #keys: PublicKeyCache
  readonly #findRevoked: ChainCheckOptions['findRevoked']
  readonly #signatureHolds: (token: string) => Promise<boolean>

  constructor({ keys, findRevoked }: ChainCheckOptions) {
    this.#keys = keys
    this.#findRevoked = findRevoked
    this.#signatureHolds = createSignatureCheck(keys)
  }

  /** Checks times, addresses and issuers: what costs no signature. */
  checkClaims(token: Link, rules: TimeRules): Refusal | undefined {
    const refusal = checkTimes(token, rules) ?? checkAddressing(token)
    if (refusal) return refusal
    const stranger = linksOf(token).find(link => this.#keys.get(link.claims.issuer) === undefined)
    if (stranger === undefined) return undefined
    return refuse('unsupported_issuer', `The issuer of the ${stranger.position} is not a did:key of an Ed25519 key.`)
  }

  /** Checks every signature. */
  async checkSignatures(token: Link): Promise<Refusal | undefined> {
    for (const link of linksOf(token)) {
      if (!(await this.#signatureHolds(link.encoded))) {
        return refuse('bad_signature', `The signature of the ${link.position} is invalid.`)
      }
    }
    return undefined
  }

  /**
   * Checks every signature, then that nothing is revoked.
   *
   * @returns the links, the outermost first, or the reason to refuse them; rejects only when `findRevoked` does
   */
  async checkGenuine(token: Link): Promise<readonly ChainLink[] | Refusal> {
    const links = linksOf(token)
    const forged = await this.checkSignatures(token)
    if (forged) return forged
    const hashes = links.map(link => tokenHash(link.encoded))
    const revoked = await this.#findRevoked(hashes)
    const place = revoked === undefined ? -1 : hashes.indexOf(revoked)
    if (revoked !== undefined) return refuse('revoked', `The ${links[place]?.position ?? 'token'} has been revoked.`)
    return links.map(({ claims: { issuer, expiresAt } }, index) => ({ hash: hashes[index]!, issuer, expiresAt }))
  }
}
