/** An effect of a new oracle key, as `sibyl keys rotate --oracle` reports it. The guide to access has the same list. */
export interface RotationEffect {
  readonly what: string
  readonly state: 'valid' | 'ended' | 'changed'
  readonly effect: string
  /** The remedy, for the operator or the users. */
  readonly action?: string
}

export const rotationEffects: readonly RotationEffect[] = [
  {
    what: 'Issued credentials and entity histories',
    state: 'valid',
    effect: 'still verify: the DID document keeps the old key, retired at the next start',
  },
  {
    what: 'Status lists',
    state: 'valid',
    effect: 'are signed with the new key the next time they are read',
  },
  {
    what: 'Credentials that someone else signs with the old key from now on',
    state: 'ended',
    effect: 'are rejected by this oracle, even if they are backdated; other verifiers may accept them',
    action: 'Have verifiers use POST /credentials/verify of this oracle',
  },
  {
    what: 'Bearers',
    state: 'ended',
    effect: 'end at the next start',
    action: 'Clients that sign exchange new ones automatically',
  },
  {
    what: 'Grants of access, and delegations that users gave to the oracle',
    state: 'ended',
    effect: 'name the old DID and are rejected',
    action: 'Issue them again: sibyl token grant',
  },
  {
    what: 'Users on phones and in Matrix, and API keys without a DID of their own',
    state: 'changed',
    effect: 'get new DIDs; their data stays under the previous ones',
  },
]
