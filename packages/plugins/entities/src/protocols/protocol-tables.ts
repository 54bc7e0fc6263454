import type { JsonColumn } from '@sibyl/plugin/storage'
import type { ProtocolDefinition } from './protocol-definition.ts'

/** The tables of this room. */
export interface ProtocolTables {
  entities_protocols: ProtocolRow
}

/** A version of a protocol; never changed once it is there. */
export interface ProtocolRow {
  /** The last part of the protocol's DID. */
  id: string
  version: number
  did: string
  definition: JsonColumn<ProtocolDefinition>
  created_at: number
}
