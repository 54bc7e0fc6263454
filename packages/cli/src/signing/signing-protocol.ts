/**
 * What the page is told of a request, and signs. Both ends make their texts, the fingerprint among them, from these facts
 * with the functions below; this module runs in Node and in the browser.
 */
export interface SigningFacts {
  /** Of the request: 11 characters of base64url. */
  readonly id: string
  /** 16 random bytes in hexadecimal, made for this request alone. */
  readonly challenge: string
  /** Where the page is served: `http://192.168.1.5:4180`. */
  readonly origin: string
  /** The DID of the computer's key, which receives the right. */
  readonly audience: string
  /** Where the right is good. */
  readonly registry: { readonly title: string; readonly did: string }
  readonly abilities: readonly string[]
  /** The oracle that it is about, where there is one. */
  readonly about?: string
  /** The only DID that may sign, where one is expected. */
  readonly expectedDid?: string
  /** When the right begins, by the computer's clock, in seconds since 1970. */
  readonly from: number
  /** When the right ends, in seconds since 1970. */
  readonly until: number
}

/** How a request stands, as the page is told. */
export type SigningState = 'waiting' | 'signed' | 'refused' | 'expired' | 'cancelled' | 'wrong-device' | 'invalid'

/** What the page is told when it claims a request. */
export interface ClaimAnswer {
  readonly facts: SigningFacts
  readonly secondsLeft: number
}

/** What the page sends when it has signed. */
export interface SigningAnswer {
  readonly delegation: string
  /** The signature over `answerText`, in hexadecimal. */
  readonly signature: string
}

/** The header that proves, with the secret of the link's fragment, that a message comes from one of the two ends. */
export const proofHeader = 'signing-proof'

/** Returns what the proof of a message is made over with HMAC-SHA256; the key is the link's fragment as text. */
export const proofText = (
  {
    direction,
    origin,
    path,
  }: { readonly direction: 'request' | 'answer'; readonly origin: string; readonly path: string },
  body: string,
): string => JSON.stringify([`sibyl signing ${direction}`, origin, path, body])

/** Returns what the right is about, in the form of a UCAN. */
export const resourceOf = ({ registry }: SigningFacts): string => `oracle:${registry.did}`

/** Returns what the UCAN states beside the right, so that all that the page shows is signed. */
export const statementOf = ({ registry, about }: SigningFacts): Readonly<Record<string, unknown>> => ({
  purpose: 'sibyl signing',
  registry: registry.title,
  ...(about === undefined ? {} : { about }),
})

/** Returns what the phone's key signs beside the UCAN: that this UCAN answers this challenge, at this address. */
export const answerText = ({ id, challenge, origin }: SigningFacts, delegation: string): string =>
  JSON.stringify(['sibyl signing answer', id, challenge, origin, delegation])

/** Returns what the fingerprint is the SHA-256 of: the whole request, and both keys. */
export const fingerprintText = (facts: SigningFacts, did: string): string => {
  const { id, challenge, origin, audience, abilities, from, until } = facts
  const request = [id, challenge, origin, audience, resourceOf(facts), abilities, statementOf(facts), from, until]
  return JSON.stringify(['sibyl signing fingerprint', ...request, did])
}

/** Returns a hash as a person compares it: `4812 0937 5512 7740`, 53 bits of it. */
export const digitsOf = (hash: Uint8Array): string => {
  const number = hash.subarray(0, 8).reduce((sum, byte) => sum * 256n + BigInt(byte), 0n) % 10n ** 16n
  return (number.toString().padStart(16, '0').match(/.{4}/g) ?? []).join(' ')
}
