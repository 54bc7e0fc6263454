import type { RegisteredEntity } from '@sibyl/protocol'
import { RegistryRefusedError } from '../errors/registry-refused-error.ts'
import { RegistryUnavailableError } from '../errors/registry-unavailable-error.ts'
import { sentenceStart } from './list-faults.ts'
import { describePlace } from './registry-node.ts'
import type { RegistryRoom } from './with-registry.ts'

/**
 * Reads an entity that is to be changed.
 *
 * @throws RegistryRefusedError (`registry_refused`) where the registry knows none of that DID,
 *   RegistryUnavailableError (`registry_unavailable`) where it answers with another one
 */
export const readEntity = async ({ openAs, node }: RegistryRoom, did: string): Promise<RegisteredEntity> => {
  const { registry } = await openAs(undefined)
  const found = await registry.get(did)
  if (found && found.entity.did.toLowerCase() !== did.toLowerCase()) {
    const message = `${sentenceStart(describePlace(node))} answers with another entity than the one asked for.`
    throw new RegistryUnavailableError(message, 'Name another registry: --registry-url, REGISTRY_URL.')
  }
  if (found) return found
  const message = `${sentenceStart(describePlace(node))} knows no entity ${did}.`
  throw new RegistryRefusedError(message, 'Is it another registry? --network, --registry-url')
}
