import type { Actor } from '@sibyl/plugin'
import type { ApprovalDecision, GivenWithDecision } from '../store/approval-store.ts'
import type { ApprovalDependencies } from './asking-turn.ts'

/** The most calls that are ended in one run. */
const maxAtOnce = 50

/** Decides a call. */
type Decide = (
  ...decision: [Actor, string, ApprovalDecision, GivenWithDecision, { readonly awaited: false }]
) => Promise<object>

/** Gives calls of clients that returned no result in time an error as their result; their turns continue with it. */
export const endLateClientCalls = async (
  { approvals, turns, log, now }: Pick<ApprovalDependencies, 'approvals' | 'turns' | 'log' | 'now'>,
  limitMs: number,
  decide: Decide,
): Promise<void> => {
  for (const { id, turnId, tool } of await approvals.lateClientCalls(now() - limitMs, maxAtOnce)) {
    const asked = await turns.find(turnId)
    if (!asked) continue
    const data = { error: `It returned no result within ${limitMs / 1000} s.` }
    const decided = await decide(asked.actor, id, 'once', { data }, { awaited: false })
    // A turn whose rights have ended does not continue; its call is closed all the same.
    if ('refused' in decided) await approvals.decide(asked.actor, id, 'deny', {}, now())
    log.info('a client returned no result in time', { turn: turnId, tool })
  }
}
