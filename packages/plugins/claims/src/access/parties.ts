import type { HostIdentity } from '@sibyl/plugin'

/** Tells who is who: the oracle has several DIDs, and is one party. */
export interface Parties {
  /** The DID that stands for the oracle in this plugin's rows: its did:web. */
  readonly oracle: string
  /** The DID by which a party is known here: of the oracle's own DIDs its did:web, of all others themselves. */
  partyOf(did: string): string
  /** Whether two DIDs are one party. */
  isSame(one: string, other: string): boolean
}

/** Tells who is who by the oracle's identity. */
export const createParties = (identity: Pick<HostIdentity, 'did' | 'publicDid'>): Parties => {
  const isOracle = (did: string): boolean => did === identity.did || plain(did) === plain(identity.publicDid)
  const partyOf = (did: string): string => (isOracle(did) ? identity.publicDid : did)
  return {
    get oracle() {
      return identity.publicDid
    },
    partyOf,
    isSame: (one, other) => partyOf(one) === partyOf(other),
  }
}

/** A did:web without the escape of its port's colon, which clients write and leave out. */
const plain = (did: string): string => did.replaceAll(/%3a/gi, ':')
