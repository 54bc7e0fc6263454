import type { JsonValue } from './json-value.ts'
import { type ServiceToken, serviceToken } from './service-token.ts'

/** A transaction of `host.storage.write`, which the plugins of an oracle share: it is handed on as it is. */
export type SharedTransaction = object

/** An entity, as other plugins need it. */
export interface DirectoryEntity {
  readonly did: string
  readonly type: string
  /** One of the four classes, such as `Oracle Twins`. */
  readonly domainClass: string
  readonly controller: string
  readonly status: 'active' | 'deactivated'
  readonly protocol?: { readonly did: string; readonly version: number }
}

/** One version of a protocol, as far as other plugins need it. */
export interface DirectoryProtocol {
  readonly did: string
  readonly version: number
  /** When this version was stored, in milliseconds since 1970. */
  readonly createdAt: number
  /** Whether this version takes no entities and no claims any more. */
  readonly retired: boolean
  /** The number of the newest version. */
  readonly newest: number
  /** Of the protocol, whichever version. */
  readonly status: 'active' | 'deactivated'
  /** The DID that controls the protocol. */
  readonly controller: string
  /** Its `claim` member: the form of claims about its entities, and their rubric. */
  readonly claim?: JsonValue
}

/** An edge of the graph. A node is an entity's DID, or the URI of a claim or a credential (`urn:uuid:…`). */
export interface DirectoryEdge {
  readonly from: string
  readonly relationship: string
  readonly to: string
}

/** The entities of this oracle, for plugins that write in one transaction with them. */
export interface EntityDirectory {
  /** Entities by DID, in one read; those that are not known are missing. */
  find(dids: readonly string[]): Promise<ReadonlyMap<string, DirectoryEntity>>
  /** The DIDs of all entities that a DID controls. */
  controlledBy(did: string): Promise<readonly string[]>
  /** A version of a protocol; the newest where none is given. */
  protocol(did: string, version?: number): Promise<DirectoryProtocol | undefined>
  /** Adds edges of the generic chain between entities, claims and credentials. What is there already stays. */
  link(edges: readonly DirectoryEdge[], tx: SharedTransaction): Promise<void>
  /** Enters a credential that was issued to an entity, as a change of it by `by`. Nothing for DIDs that are not known. */
  addCredential(
    entry: {
      readonly did: string
      readonly id: string
      readonly type: string
      readonly issuer: string
      readonly by: string
    },
    tx: SharedTransaction,
  ): Promise<void>
  /** Takes the entry of a revoked credential out. */
  removeCredential(
    entry: { readonly did: string; readonly id: string; readonly by: string },
    tx: SharedTransaction,
  ): Promise<void>
}

/** The directory of the plugin that keeps entities. */
export const entityDirectory: ServiceToken<EntityDirectory> = serviceToken('entity-directory')
