import type { HostIdentity } from '@sibyl/plugin'
import type { EntityDirectory } from '@sibyl/protocol'

export type Parties = ReturnType<typeof createParties>

/** Creates what tells parties apart: the oracle has several DIDs, and is one party. */
export const createParties = (identity: Pick<HostIdentity, 'did' | 'publicDid'>) => {
  const isOracle = (did: string): boolean => did === identity.did || plain(did) === plain(identity.publicDid)
  /** Returns the DID by which a party is known here: of the oracle's own DIDs its did:web, of all others themselves. */
  const partyOf = (did: string): string => (isOracle(did) ? identity.publicDid : did)
  return {
    /** The DID that stands for the oracle in this plugin's rows: its did:web. */
    get oracle() {
      return identity.publicDid
    },
    partyOf,
    /** Returns whether two DIDs are one party. */
    isSame: (one: string, other: string) => partyOf(one) === partyOf(other),
  }
}

/** A did:web without the escape of its port's colon, which clients write and leave out. */
const plain = (did: string): string => did.replaceAll(/%3a/gi, ':')

/** The DID of an entity as it is written down, whether its port's colon came escaped or not; as given where it is not known. */
export const knownDid = async (did: string, directory: Pick<EntityDirectory, 'find'>): Promise<string> =>
  (await directory.find([did])).get(did)?.did ?? did
