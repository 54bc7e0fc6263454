import type { EntitiesTransaction } from '../storage/entities-tables.ts'
import type { ProtocolDefinition } from './protocol-definition.ts'

/** The versions of all protocols. A version never changes once it is stored, so it may be kept in memory. */
export interface ProtocolStore {
  /** A version, the newest where none is named; undefined where there is none. For use outside of a write. */
  find(did: string, version?: number): Promise<ProtocolDefinition | undefined>
  /** All versions, the newest first. */
  versions(did: string): Promise<readonly ProtocolDefinition[]>
  /** Stores new versions in the transaction that changes their entities. */
  insert(definitions: readonly ProtocolDefinition[], tx: EntitiesTransaction): Promise<void>
}
