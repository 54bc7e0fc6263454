import type { PendingCall } from '@sibyl/plugin/host'
import type { JsonValue } from '@sibyl/protocol'
import { z } from 'zod'
import { agUiErrors } from '../errors/ag-ui-errors.ts'
import type { ResumeEntry } from './run-agent-input.ts'

/** The answer to a question of the oracle, as `host.turns.decide` takes it. */
export interface Answer {
  readonly approvalId: string
  readonly decision: 'once' | 'session' | 'deny'
  readonly data?: JsonValue
}

const approval = z.union([
  z.boolean().transform(approved => ({ approved, always: false })),
  z.looseObject({ approved: z.boolean(), always: z.boolean().default(false) }),
])

/**
 * Reads the answer to an interrupt.
 *
 * @param call The call that waits for it; undefined if it waits no longer.
 * @throws `ag_ui_answer_invalid`
 */
export const readAnswer = (
  { interruptId: approvalId, status, payload }: ResumeEntry,
  call: PendingCall | undefined,
): Answer => {
  if (status === 'cancelled') return { approvalId, decision: 'deny' }
  if (call?.kind === 'question') return { approvalId, decision: 'once', data: payload ?? {} }
  const answer = approval.safeParse(payload).data
  if (!answer) {
    if (call) throw agUiErrors.ag_ui_answer_invalid({ interrupt: approvalId.slice(0, 80) })
    return { approvalId, decision: 'once' }
  }
  return { approvalId, decision: answer.approved ? (answer.always ? 'session' : 'once') : 'deny' }
}
