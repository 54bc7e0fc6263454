import type { Host } from '@sibyl/plugin'
import { normalDid, sameDid } from '@sibyl/protocol'

/** Parties by DID. The oracle's did:key and did:web are one party, named by the did:web because its keys change. */
export interface Parties {
  /** Returns the DID that stands for a party: in its canonical form, as the oracle writes its own. */
  partyOf(did: string): string
  /** Returns whether two DIDs are one party. */
  isSame(one: string, other: string): boolean
}

/** Creates parties by the oracle's identity, which is read at each call. */
export const createParties = (identity: Pick<Host['identity'], 'did' | 'publicDid'>): Parties => {
  const partyOf = (given: string): string =>
    given === identity.did || sameDid(given, identity.publicDid) ? identity.publicDid : normalDid(given)
  return { partyOf, isSame: (one, other) => partyOf(one) === partyOf(other) }
}
