/** An actor as limits count it; every actor of an oracle is one. */
export interface CountedActor {
  readonly did: string
  /** The method of authentication: `ucan`, `api-key`, `ussd`, … */
  readonly via: string
  /** The DID that limits are counted against. @default did */
  readonly holder?: string
  /** The network that shares caps for all, as a keyed hash; of IPv6 after that of its site and a dot. */
  readonly origin?: string | undefined
  /** Where the right comes from, as far as limits tell sources apart. */
  readonly grant?: { readonly apiKey?: object; readonly credential?: { readonly byOperator?: true } }
}
