import type { ClaimAction, ClaimState } from '@sibyl/protocol'

/** From which states an action leads to which: all that can ever happen to a claim. */
export const transitions: Readonly<
  Record<ClaimAction, { readonly from: readonly ClaimState[]; readonly to: ClaimState }>
> = {
  submit: { from: [], to: 'submitted' },
  evaluate: { from: ['submitted'], to: 'evaluating' },
  judge: { from: ['evaluating'], to: 'evaluating' },
  'give-up': { from: ['evaluating'], to: 'submitted' },
  approve: { from: ['evaluating'], to: 'approved' },
  reject: { from: ['evaluating'], to: 'rejected' },
  dispute: { from: ['approved', 'rejected'], to: 'disputed' },
  uphold: { from: ['disputed'], to: 'upheld' },
  invalidate: { from: ['disputed'], to: 'invalidated' },
}

/** The state after an action; undefined where the action does not lead on from that state. */
export const stateAfter = (state: ClaimState, action: ClaimAction): ClaimState | undefined => {
  const { from, to } = transitions[action]
  return from.includes(state) ? to : undefined
}

/** The states of claims that somebody has to do something about. */
export const waitingStates: readonly ClaimState[] = ['submitted', 'evaluating', 'disputed']
