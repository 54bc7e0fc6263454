/** Who acts: a DID, or a pairwise did:key for the user of a phone or a Matrix room until that person links an own one. */
export interface Actor {
  readonly did: string
  /** How the actor was made sure of. */
  readonly via: 'ucan' | 'bearer' | 'api-key' | 'ussd' | 'matrix' | 'sms' | 'task' | 'operator'
  /** Abilities the actor holds here, such as `chat/send`, `chat/*` or `*`. */
  readonly scopes: readonly string[]
}
