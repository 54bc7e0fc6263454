import { FaultyInput } from '../faulty-input.ts'

/** A collection that is to be made or changed has faults. */
export class CollectionInvalid extends FaultyInput {
  override readonly code = 'collection_invalid'
}
