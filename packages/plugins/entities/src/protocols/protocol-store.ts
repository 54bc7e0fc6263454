import type { EntityStatus } from '@sibyl/protocol'
import type { EntitiesTransaction } from '../storage/entities-tables.ts'
import type { ProtocolDefinition } from './protocol-definition.ts'

/** A version of a protocol, and what stands beside it. */
export interface PublishedProtocol {
  readonly definition: ProtocolDefinition
  /** Of the protocol, whichever version: nothing new is created under a deactivated one. */
  readonly status: EntityStatus
  /** Of the protocol. */
  readonly controller: string
  /** The number of its newest version. */
  readonly newest: number
  /** Whether this version takes no entities and no claims any more. */
  readonly retired: boolean
  /** When this version was stored, in milliseconds since 1970. */
  readonly createdAt: number
}

/** The versions of all protocols. A version never changes once it is stored, so it may be kept in memory. */
export interface ProtocolStore {
  /**
   * A version, the newest where none is named; undefined where there is none. For use outside of a write. Asked with a
   * version it reads nothing when it knows it; without one, all that ask in one turn of the event loop share one read.
   */
  find(did: string, version?: number): Promise<ProtocolDefinition | undefined>
  /** As `find`, with what stands beside the definition: what new entities are checked against. Always reads, shared. */
  published(did: string, version?: number): Promise<PublishedProtocol | undefined>
  /** The newest version of each protocol, the newest protocol first. @param before the DID of the last one of the page before */
  list(limit: number, before?: string): Promise<readonly Omit<PublishedProtocol, 'controller' | 'newest'>[]>
  /** The versions of one, the newest first. @param before only versions below this one */
  versions(
    did: string,
    limit: number,
    before?: number,
  ): Promise<readonly { readonly version: number; readonly createdAt: number; readonly retired: boolean }[]>
  /** Stores new versions in the transaction that changes their entities. @param at milliseconds since 1970 */
  insert(definitions: readonly ProtocolDefinition[], at: number, tx: EntitiesTransaction): Promise<void>
}
