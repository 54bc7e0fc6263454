/**
 * The facts of a request, which the page shows and signs. Both ends derive their texts and the fingerprint from them
 * with the functions below; this module runs in Node and in the browser.
 */
export interface SigningFacts {
  /** Of the request: 11 characters of base64url. */
  readonly id: string
  /** 16 random bytes in hexadecimal, unique to this request. */
  readonly challenge: string
  /** The origin of the page: `http://192.168.1.5:4180`. */
  readonly origin: string
  /** The DID of the key of the computer, the audience. */
  readonly audience: string
  /** The registry of the delegation. */
  readonly registry: { readonly title: string; readonly did: string }
  readonly abilities: readonly string[]
  /** The oracle that it concerns, if any. */
  readonly about?: string | undefined
  /** The only DID that may sign, if one is expected. */
  readonly expectedDid?: string
  /** The start of the delegation, by the clock of the computer, in seconds since 1970. */
  readonly from: number
  /** The expiry of the delegation, in seconds since 1970. */
  readonly until: number
}

/** The state of a request, as sent to the page. */
export type SigningState = 'waiting' | 'signed' | 'refused' | 'expired' | 'cancelled' | 'wrong-device' | 'invalid'

/** The response to a claim of a request. */
export interface ClaimAnswer {
  readonly facts: SigningFacts
  readonly secondsLeft: number
}

/** The signed answer of the page. */
export interface SigningAnswer {
  readonly delegation: string
  /** The signature over `answerText`, in hexadecimal. */
  readonly signature: string
}

/** The header that authenticates a message with the secret of the fragment. */
export const proofHeader = 'signing-proof'

/** Returns the input of the proof of a message for HMAC-SHA256; the key is the fragment of the link as text. */
export const proofText = (
  {
    direction,
    origin,
    path,
  }: { readonly direction: 'request' | 'answer'; readonly origin: string; readonly path: string },
  body: string,
): string => JSON.stringify([`sibyl signing ${direction}`, origin, path, body])

/** Returns the resource of the delegation, as in a UCAN. */
export const resourceOf = ({ registry }: SigningFacts): string => `oracle:${registry.did}`

/** Returns the facts of the UCAN besides the capabilities, so that everything on the page is signed. */
export const statementOf = ({ registry, about }: SigningFacts): Readonly<Record<string, unknown>> => ({
  purpose: 'sibyl signing',
  registry: registry.title,
  about,
})

/**
 * Returns the text that the key of the phone signs besides the UCAN: this UCAN answers this challenge, at this address.
 */
export const answerText = ({ id, challenge, origin }: SigningFacts, delegation: string): string =>
  JSON.stringify(['sibyl signing answer', id, challenge, origin, delegation])

/** Returns the text whose SHA-256 is the fingerprint: the complete request, and both keys. */
export const fingerprintText = (facts: SigningFacts, did: string): string => {
  const { id, challenge, origin, audience, abilities, from, until } = facts
  const request = [id, challenge, origin, audience, resourceOf(facts), abilities, statementOf(facts), from, until]
  return JSON.stringify(['sibyl signing fingerprint', ...request, did])
}

/** Formats a hash for comparison by a person: `4812 0937 5512 7740`, 53 bits of it. */
export const digitsOf = (hash: Uint8Array): string => {
  const number = hash.subarray(0, 8).reduce((sum, byte) => sum * 256n + BigInt(byte), 0n) % 10n ** 16n
  return (number.toString().padStart(16, '0').match(/.{4}/g) ?? []).join(' ')
}
