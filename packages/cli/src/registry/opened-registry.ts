import type { EntityRegistry } from '@sibyl/protocol'
import type { Controller } from './controller.ts'
import type { RegistryNode } from './registry-node.ts'

/** A registry with somebody who acts there. */
export interface OpenedRegistry {
  readonly node: RegistryNode
  readonly controller: Controller
  readonly registry: EntityRegistry
}
