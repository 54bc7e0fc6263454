import type { NamedService, NamedValue, RegistryFlags } from '../../registry/registry-flags.ts'

/** What `sibyl create-entity` is called with. */
export interface CreateEntityOptions extends RegistryFlags {
  readonly type?: string
  /** The oracle of the project is meant; its `oracle.config.json` then names the entity. */
  readonly oracle?: boolean
  /** The DID of the protocol. */
  readonly protocol?: string
  /** Values as JSON where they parse as such. */
  readonly property?: readonly NamedValue[]
  readonly service?: readonly NamedService[]
  /** Names with the DIDs that they lead to. */
  readonly relationship?: readonly NamedValue[]
  /** The DID of who may change it. @default who signs */
  readonly controller?: string
  /** Where the entity is read from as JSON, `-` for standard input; the other options go before it. */
  readonly file?: string
  readonly idempotencyKey?: string
  readonly dryRun?: boolean
}
