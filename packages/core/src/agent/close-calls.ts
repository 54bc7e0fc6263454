import type { Outcome } from '@sibyl/protocol'
import type { BegunCall } from '../sessions/tool-call-store.ts'
import { isSettled, isToolPart, type MessagePart, readJson } from '../sessions/turn-message.ts'
import { endingOf, endingText } from '../stream/settle-parts.ts'
import type { StreamEvent } from '../stream/turn-log.ts'

/**
 * The events that give every tool call of a turn that ended early its result, so that stream, stored answer and the
 * model's next prompt agree.
 *
 * @param begun The writing calls that had begun; undefined when that cannot be told.
 */
export const closeCalls = (
  parts: readonly MessagePart[],
  outcome: Outcome,
  begun: ReadonlyMap<string, BegunCall> | undefined,
): StreamEvent[] =>
  parts.flatMap((part): StreamEvent[] => {
    if (!isToolPart(part) || isSettled(part) || part.input === undefined) return []
    const { toolCallId } = part
    if (part.state === 'approval-requested') {
      return outcome === 'stopped' ? [{ type: 'tool-output-denied', toolCallId }] : []
    }
    const ending = begun ? endingOf(begun.get(toolCallId)) : 'unknown'
    if (typeof ending === 'object') {
      return [{ type: 'tool-output-available', toolCallId, output: readJson<unknown>(ending.output, null) }]
    }
    return [{ type: 'tool-output-error', toolCallId, errorText: endingText[ending] }]
  })

/** Whether a turn of that outcome may leave calls without a result. */
export const leavesCalls = (outcome: Outcome): boolean => outcome !== 'done' && outcome !== 'awaiting-approval'
