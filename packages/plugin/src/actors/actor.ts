import type { ChainLink } from '@sibyl/identity'

/** Who acts: a DID, or a pairwise did:key for the user of a phone or a Matrix room until that person links an own one. */
export interface Actor {
  readonly did: string
  /** How the actor was made sure of. */
  readonly via: 'ucan' | 'bearer' | 'api-key' | 'ussd' | 'matrix' | 'sms' | 'task' | 'operator'
  /** Abilities the actor holds here, such as `chat/send`, `chat/*` or `*`. */
  readonly scopes: readonly string[]
  /** The DID that limits are counted against: the first holder of the right. @default did */
  readonly holder?: string
  /**
   * The network that the request came from, as a keyed hash: with `ORACLE_ACCESS=open`, caps for all are shared by it.
   * Unset for API keys, for rooms, and for phones behind a trusted gateway.
   */
  readonly origin?: string
  /** The source of the right. Work that runs later stores it, and stops when it ends. */
  readonly grant?: Grant
}

/** The source of a right, as far as it can end. */
export interface Grant {
  /** The DID whose key roots the chain (UCAN, bearer). With `delegated` it must be the oracle or a controller still. */
  readonly root?: string
  /** The delegations of the chain, without the short-lived invocation or bearer. Each can be revoked and expires. */
  readonly links?: readonly ChainLink[]
  /** The API key: the variable that lists it and its name. */
  readonly apiKey?: { readonly variable: string; readonly name: string }
  /** Further sources without which the right ends too: of a turn that goes on after an approval, those of whoever asked. */
  readonly also?: readonly Omit<Grant, 'also'>[]
}
