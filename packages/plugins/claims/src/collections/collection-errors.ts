import { ToolFailure } from '@sibyl/plugin'
import { FaultyInput } from '../faulty-input.ts'

/** A collection that is to be made or changed has faults. */
export class CollectionInvalid extends FaultyInput {
  override readonly code = 'collection_invalid'
}

/** There is no such collection. */
export class CollectionNotFound extends ToolFailure {
  override readonly code = 'collection_not_found'
  override readonly status = 404

  constructor() {
    super('There is no such collection. GET /v1/collections lists them.')
  }
}

/** Somebody else than its controller wants to change a collection. */
export class CollectionControllerNeeded extends ToolFailure {
  override readonly code = 'collection_controller_needed'
  override readonly status = 403

  constructor() {
    super('Only its controller may change a collection.')
  }
}
