import type { RegistryFlags } from '../../registry/registry-flags.ts'

/** What `sibyl update-oracle-api-url` is called with. */
export interface UpdateOracleApiUrlOptions extends RegistryFlags {
  /** Stands for http://localhost:<port>. */
  readonly port?: number
  /** The DID of the oracle's entity. @default ORACLE_ENTITY_DID of the project */
  readonly entity?: string
  /** Whether the new one has to answer as this oracle. @default true */
  readonly check: boolean
  readonly dryRun?: boolean
}
