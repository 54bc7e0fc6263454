import type { Outcome } from '@sibyl/protocol'
import { readJson } from '../../database/stored-json.ts'
import { isSettled, isToolPart, type MessagePart } from '../../sessions/stored-message.ts'
import type { StreamEvent } from '../stream/turn-stream.ts'
import type { BegunCall } from './tool-call-store.ts'

/** The text about an interrupted call, for model and person. */
const unsettledText = {
  /** The call may have happened. */
  unknown: 'Outcome unknown: the oracle stopped while this ran. It was not run again; check before you repeat it.',
  /** The call ended with an error that was not kept. */
  failed: 'Failed: the call ended with an error.',
  /** The call did not happen, or changed nothing. */
  notRun: 'No result: the turn ended before this call. It changed nothing.',
} as const

/** The end of a call that has no result in the message: its output as JSON, unknown, failed, or never begun. */
export type CallEnding = { readonly output: string } | 'unknown' | 'failed' | 'not_run'

/** The text about a call by its ending. */
const endingText: Readonly<Record<Exclude<CallEnding, object>, string>> = {
  unknown: unsettledText.unknown,
  failed: unsettledText.failed,
  not_run: unsettledText.notRun,
}

/** Returns how a writing call ended, by its stored row; undefined stands for a call that had not begun. */
export const endingOf = (call: BegunCall | undefined): CallEnding => {
  if (!call) return 'not_run'
  if (call.state === 'failed') return 'failed'
  return call.output === undefined ? 'unknown' : { output: call.output }
}

/**
 * Gives every tool call of a message that has no result one that says so, and closes open texts, so that the history
 * is whole for the model.
 *
 * @param waits Whether a person is still to decide about the call: it stays as it is.
 */
export const settleParts = (
  parts: readonly MessagePart[],
  endingOf: (toolCallId: string) => CallEnding,
  waits: (toolCallId: string) => boolean = () => false,
): MessagePart[] =>
  parts.flatMap(part => {
    if (!isToolPart(part)) return [part.state === 'streaming' ? { ...part, state: 'done' } : part]
    if (isSettled(part) || waits(part.toolCallId)) return [part]
    if (part.input === undefined) return []
    const { approval: _, ...rest } = part
    const ending = endingOf(part.toolCallId)
    if (typeof ending === 'object') {
      return [{ ...rest, state: 'output-available', output: readJson<unknown>(ending.output, null) }]
    }
    return [{ ...rest, state: 'output-error', errorText: endingText[ending] }]
  })

/**
 * The events that give every tool call of a turn that ended early its result, so that stream, stored answer and the
 * model's next prompt agree.
 *
 * @param begun The writing calls that had begun; undefined when they are unknown.
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
