import type { Host } from '@sibyl/plugin'
import { type entityDirectory, normalDid, type ServiceOf, sameDid } from '@sibyl/protocol'

export type Parties = ReturnType<typeof createParties>

/** Creates the comparison of parties. The oracle has several DIDs and is one party. */
export const createParties = (identity: Pick<Host['identity'], 'did' | 'publicDid'>) => {
  const isOracle = (did: string): boolean => did === identity.did || sameDid(did, identity.publicDid)
  /** Returns the DID that identifies a party: the did:web for each of the oracle's DIDs, otherwise the DID in its canonical form. */
  const partyOf = (did: string): string => (isOracle(did) ? identity.publicDid : normalDid(did))
  return {
    /** DID of the oracle in this plugin's rows: its did:web. */
    get oracle() {
      return identity.publicDid
    },
    partyOf,
    /** Returns whether two DIDs are one party. */
    isSame: (one: string, other: string) => partyOf(one) === partyOf(other),
  }
}

/**
 * Returns the stored form of an entity's DID, with or without an escaped colon in its port; an unknown DID is returned
 * as it is.
 */
export const knownDid = async (
  did: string,
  directory: Pick<ServiceOf<typeof entityDirectory>, 'find'>,
): Promise<string> => (await directory.find([did])).get(did)?.did ?? did
