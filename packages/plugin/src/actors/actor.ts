import type { ChainLink } from '@sibyl/identity'

/**
 * The actor of a request: a DID, or a pairwise did:key for the user of a phone or a Matrix room until that person links
 * their own one.
 */
export interface Actor {
  readonly did: string
  /** The method of authentication. */
  readonly via: 'ucan' | 'bearer' | 'api-key' | 'ussd' | 'matrix' | 'sms' | 'task' | 'operator'
  /** Abilities of the actor here, such as `chat/send`, `chat/*` or `*`. */
  readonly scopes: readonly string[]
  /** The DID that limits are counted against: the first holder of the grant. @default did */
  readonly holder?: string
  /**
   * The network of the request, as a keyed hash: with `ORACLE_ACCESS=open` it shares common limits. Unset for API keys,
   * for rooms, and for phones behind a trusted gateway.
   */
  readonly origin?: string | undefined
  /** The source of the authorization. Later work stores it, and stops when it ends. */
  readonly grant?: Grant
}

/** The source of an authorization, as far as it can end. */
export interface Grant {
  /** The DID whose key roots the chain (UCAN, bearer). With `delegated` it must still be the oracle or a controller. */
  readonly root?: string
  /** The delegations of the chain, without the short-lived invocation or bearer. Each expires and can be revoked. */
  readonly links?: readonly ChainLink[]
  /** The API key: its variable, its name, and the user whom a server with the key named. */
  readonly apiKey?: { readonly variable: string; readonly name: string; readonly user?: string }
  /** The stored credential, such as an API key: its source and its ID there. */
  readonly credential?: {
    readonly source: string
    readonly id: string
    /** Set if the operator issued it, and not the user whose DID it has. */
    readonly byOperator?: true
  }
  /**
   * Further sources, which also end the authorization: for a turn that continues after an approval, those of the asking
   * turn.
   */
  readonly also?: readonly Omit<Grant, 'also'>[]
}
