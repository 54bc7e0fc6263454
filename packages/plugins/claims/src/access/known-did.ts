import type { EntityDirectory } from '@sibyl/protocol'

/** The DID of an entity as it is written down, whether its port's colon came escaped or not; as given where it is not known. */
export const knownDid = async (did: string, directory: Pick<EntityDirectory, 'find'>): Promise<string> =>
  (await directory.find([did])).get(did)?.did ?? did
