import { vanishedAfterMs } from '../recovery/dead-processes.ts'
import type { StoredMessage } from '../sessions/turn-message.ts'
import { isToolPart, toolNameOf } from '../sessions/turn-message.ts'
import type { TurnRow } from '../sessions/turn-row.ts'
import type { TurnStore } from '../sessions/turn-store.ts'
import type { TurnCalls } from './turn-calls.ts'
import { firstReplayedNumber, type StreamEvent, TurnLog, unstoredEnds } from './turn-log.ts'

/** How often a turn that another process runs is looked at when no call comes, in milliseconds. */
const lookIntervalMs = 500

/** How often the process that runs a turn is told that it is read here, in milliseconds. */
const noteIntervalMs = 1_000

const endTypes = new Set(['finish', 'abort', 'error'])

/** How long nobody may read before the looking ends, in milliseconds. */
const unreadLimitMs = 3_000

/** What following rests on. */
export interface FollowParts {
  readonly store: TurnStore
  readonly calls: TurnCalls
  /** Ends what dead processes left. */
  readonly recoverDead: () => Promise<unknown>
}

/**
 * The log of a turn that this process does not run: what is stored of it, and what comes, as long as anybody reads. That it is
 * followed was noted before.
 */
export const followStoredTurn = async (row: TurnRow, parts: FollowParts): Promise<TurnLog> => {
  const log = new TurnLog(row.id)
  if (!(await takeOver(parts, row.id, log))) void follow(parts, row.id, log)
  return log
}

/** Reads on at every call and now and then, until the turn has ended or nobody reads any more. */
const follow = async (parts: FollowParts, turnId: string, log: TurnLog): Promise<void> => {
  const { store, calls } = parts
  let readAt = performance.now()
  let notedAt = readAt
  for (let isFirst = true; ; isFirst = false) {
    const heard = calls.heard(turnId, lookIntervalMs)
    const now = performance.now()
    if (log.readers > 0) readAt = now
    if (now - readAt > unreadLimitMs) return
    if (isFirst) calls.tell(turnId)
    else if (log.readers > 0 && now - notedAt >= noteIntervalMs) {
      notedAt = now
      await store.noteFollower(turnId).catch(() => {})
    }
    if (await takeOver(parts, turnId, log).catch(() => false)) return
    await heard
  }
}

/** Copies what is new into the log; true once the turn has ended. */
const takeOver = async ({ store, recoverDead }: FollowParts, turnId: string, log: TurnLog): Promise<boolean> => {
  if (log.ended) return true
  const row = await store.find(turnId)
  for (const { id, json } of await store.eventsAfter(turnId, log.events.length)) {
    if (id !== log.events.length + 1) continue
    const event = JSON.parse(json) as StreamEvent
    if (endTypes.has(event.type)) {
      log.end(event)
      return true
    }
    log.append(event)
  }
  if (row && row.status === 'running') {
    if (row.silentMs > vanishedAfterMs) await recoverDead()
    return false
  }
  log.endUnstored(unstoredEnds.interrupted)
  return true
}

/**
 * The log of a turn whose events are not kept, made again from the stored answer. Of an interrupted turn its events have numbers
 * of their own: clients may have seen others that were never stored.
 */
export const replayAnswer = (row: TurnRow, answer: StoredMessage | undefined): TurnLog => {
  const log = new TurnLog(row.id, row.status === 'interrupted' ? firstReplayedNumber : 1)
  log.append({ type: 'start', messageId: row.answerId, messageMetadata: { sessionId: row.sessionId, turnId: row.id } })
  const parts = answer?.parts ?? []
  const open = new Set(parts.flatMap(part => (part.state === 'approval-requested' ? [approvalIdOf(part)] : [])))
  for (const [index, part] of parts.entries()) {
    if (part.type === 'data-question' && open.has(part.id)) continue
    const asked = parts.find(({ type, id }) => type === 'data-question' && id === approvalIdOf(part))
    for (const event of eventsOf(part, `${row.id}-${index}`, asked)) log.append(event)
  }
  if (row.status === 'stopped') log.end({ type: 'abort', reason: 'Stopped.' })
  else if (row.status === 'failed') {
    log.end({ type: 'error', errorText: 'The turn failed.', code: row.code ?? 'turn_failed' })
  } else if (row.status === 'interrupted') log.end(unstoredEnds.interrupted.event)
  else log.end({ type: 'finish', finishReason: 'stop', messageMetadata: answer?.metadata ?? {} })
  return log
}

type Part = StoredMessage['parts'][number]

const approvalIdOf = (part: Part): unknown => (isToolPart(part) ? part.approval?.id : undefined)

/** @param asked What the call of the part asked a person: it comes before the request for the answer. */
const eventsOf = (part: Part, id: string, asked: Part | undefined): StreamEvent[] => {
  if (part.type === 'step-start') return [{ type: 'start-step' }]
  if (part.type === 'text' || part.type === 'reasoning') {
    return [
      { type: `${part.type}-start`, id },
      { type: `${part.type}-delta`, id, delta: String(part.text) },
      { type: `${part.type}-end`, id },
    ]
  }
  if (!isToolPart(part)) return [{ ...part }]
  const { toolCallId } = part
  const call = { type: 'tool-input-available', toolCallId, toolName: toolNameOf(part), input: part.input }
  if (part.state === 'output-available') {
    return [call, { type: 'tool-output-available', toolCallId, output: part.output }]
  }
  if (part.state === 'output-denied') return [call, { type: 'tool-output-denied', toolCallId }]
  if (part.state === 'approval-requested' && part.approval) {
    const request = { type: 'tool-approval-request', approvalId: part.approval.id, toolCallId }
    return asked ? [call, { ...asked }, request] : [call, request]
  }
  return [call, { type: 'tool-output-error', toolCallId, errorText: part.errorText ?? 'The tool failed.' }]
}
