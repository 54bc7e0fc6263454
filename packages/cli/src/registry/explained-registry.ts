import type { EntityRegistry } from '@sibyl/protocol'
import { explainRegistryError } from './explain-registry-error.ts'
import type { RegistryPlace } from './registry-node.ts'

/** The same registry, with what goes wrong thrown as a `CommandError`. */
export const explained = (registry: EntityRegistry, place: RegistryPlace): EntityRegistry => {
  const explain = (error: unknown): never => {
    throw explainRegistryError(error, place)
  }
  return {
    create: (creation, options) => registry.create(creation, options).catch(explain),
    get: did => registry.get(did).catch(explain),
    update: (did, patch, etag) => registry.update(did, patch, etag).catch(explain),
    deactivate: (did, etag) => registry.deactivate(did, etag).catch(explain),
  }
}
