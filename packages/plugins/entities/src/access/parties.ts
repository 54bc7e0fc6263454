import type { HostIdentity } from '@sibyl/plugin'

/** Who is who: the oracle's did:key and its did:web are one party, named by the did:web, which outlives its keys. */
export interface Parties {
  /** The DID under which somebody is written down: percent-encoded with capitals, as the oracle writes its own. */
  partyOf(did: string): string
  /** Whether two DIDs are one party. */
  isSame(one: string, other: string): boolean
}

/** Tells parties apart by the oracle's identity, as it is at each question. */
export const createParties = (identity: Pick<HostIdentity, 'did' | 'publicDid'>): Parties => {
  const partyOf = (given: string): string => {
    const did = given.replaceAll(/%[0-9a-f]{2}/g, encoded => encoded.toUpperCase())
    return did === identity.did ? identity.publicDid : did
  }
  return { partyOf, isSame: (one, other) => partyOf(one) === partyOf(other) }
}
