import type { RegisteredEntity } from '@sibyl/protocol'
import { cliErrors } from '../errors/cli-errors.ts'
import { sentenceStart } from './list-faults.ts'
import { describePlace } from './registry-node.ts'
import type { RegistryRoom } from './with-registry.ts'

/**
 * Reads an entity that is to be changed.
 *
 * @throws `registry_refused` where the registry knows none of that DID,
 *   `registry_unavailable` where it answers with another one
 */
export const readEntity = async ({ openAs, node }: RegistryRoom, did: string): Promise<RegisteredEntity> => {
  const { registry } = await openAs(undefined)
  const found = await registry.get(did)
  if (found && found.entity.did.toLowerCase() !== did.toLowerCase()) {
    const message = `${sentenceStart(describePlace(node))} answers with another entity than the one asked for.`
    throw cliErrors.registry_unavailable(message, 'Name another registry: --registry-url, REGISTRY_URL.')
  }
  if (found) return found
  const message = `${sentenceStart(describePlace(node))} knows no entity ${did}.`
  throw cliErrors.registry_refused(message, 'Is it another registry? --network, --registry-url')
}
