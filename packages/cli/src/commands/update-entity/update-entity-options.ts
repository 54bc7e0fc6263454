import type { NamedService, NamedValue, RegistryFlags } from '../../registry/registry-flags.ts'

/** What `sibyl update-entity` is called with. */
export interface UpdateEntityOptions extends RegistryFlags {
  /** Properties to set. */
  readonly set?: readonly NamedValue[]
  /** Properties to remove; services by their `#id`. */
  readonly unset?: readonly string[]
  /** Services to add, or to put in the place of those with the same id. */
  readonly service?: readonly NamedService[]
  /** The DID of who may change it from then on. */
  readonly controller?: string
  /** Where a patch is read from as JSON, `-` for standard input; the other options go before it. */
  readonly file?: string
  /** Take it out of use, for ever. */
  readonly deactivate?: boolean
  /** Do what cannot be undone without asking. */
  readonly yes?: boolean
  readonly dryRun?: boolean
}
