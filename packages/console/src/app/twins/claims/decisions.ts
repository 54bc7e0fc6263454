import type { ClaimDetails, CollectionRecord } from '@sibyl/plugin-claims/records'

export type DecisionName = 'evaluate' | 'approve' | 'reject' | 'dispute' | 'uphold' | 'invalidate'

/** A decision about a claim: a call of a route below it. */
export interface Decision {
  readonly name: DecisionName
  readonly route: 'evaluate' | 'confirm' | 'dispute' | 'resolve'
  readonly ability: 'claims/evaluate' | 'claims/submit'
  /** Letter of its shortcut. */
  readonly key: string
  readonly isMain: boolean
  readonly takesReason: boolean
  readonly needsReason: boolean
  /** Whether it can issue a credential. */
  readonly issues: boolean
  body(reason: string): object
}

/** Returns the decisions about a claim that the oracle allows to the user. */
export const decisionsOf = (
  { allowed = [], verdict }: Pick<ClaimDetails, 'allowed' | 'verdict'>,
  collection: Pick<CollectionRecord, 'evaluation' | 'confirm'> | undefined,
): readonly Decision[] => {
  const decidesAlone = collection !== undefined && collection.evaluation !== 'person' && !collection.confirm
  return allowed
    .flatMap(route => decisions[route](verdict))
    .map(decision => ({
      ...decision,
      issues: decision.name === 'approve' || (decision.name === 'evaluate' && decidesAlone),
    }))
}

const because = (reason: string) => (reason === '' ? {} : { reason })

type Decided = readonly Omit<Decision, 'issues'>[]

const decisions: Readonly<Record<Decision['route'], (verdict: ClaimDetails['verdict']) => Decided>> = {
  evaluate: () => [
    {
      name: 'evaluate',
      route: 'evaluate',
      ability: 'claims/evaluate',
      key: 'e',
      isMain: true,
      takesReason: false,
      needsReason: false,
      body: () => ({}),
    },
  ],
  confirm: verdict =>
    (['approve', 'reject'] as const).map(decision => ({
      name: decision,
      route: 'confirm',
      ability: 'claims/evaluate',
      key: decision === 'approve' ? 'a' : 'r',
      isMain: decision === 'approve',
      takesReason: true,
      needsReason: verdict?.decision !== decision,
      body: reason => ({ decision, ...because(reason) }),
    })),
  dispute: () => [
    {
      name: 'dispute',
      route: 'dispute',
      ability: 'claims/submit',
      key: 'd',
      isMain: false,
      takesReason: true,
      needsReason: true,
      body: reason => ({ reason }),
    },
  ],
  resolve: () =>
    (['uphold', 'invalidate'] as const).map(resolution => ({
      name: resolution,
      route: 'resolve',
      ability: 'claims/evaluate',
      key: resolution === 'uphold' ? 'u' : 'i',
      isMain: resolution === 'uphold',
      takesReason: true,
      needsReason: true,
      body: reason => ({ resolution, reason }),
    })),
}
