import { isToolPart, type StoredMessage, toolNameOf } from '../sessions/stored-message.ts'
import type { LocalTurns } from './local-turns.ts'
import { vanishedAfterMs } from './recover-turns.ts'
import type { RemoteTurns } from './remote-turns.ts'
import type { ReadableTurn, Refused, StartTurn } from './start-turn.ts'
import type { TurnRow } from './turn.ts'
import type { TurnServices } from './turn-dependencies.ts'
import type { TurnCalls } from './turn-notifier.ts'
import type { TurnStore } from './turn-store.ts'
import { firstReplayedNumber, type StreamEvent, TurnLog, unstoredEnds } from './turn-stream.ts'

/** How long the events of a finished turn can be read again, in milliseconds. */
export const eventsKeptMs = 600_000

/** Dependencies of `TurnReader`. */
export interface TurnReaderParts {
  readonly store: TurnStore
  readonly services: Pick<TurnServices, 'sessions'>
  readonly calls: TurnCalls
  readonly processId: string
  /** Ends what dead processes left. */
  readonly recoverDead: () => Promise<unknown>
  readonly local: LocalTurns
  readonly remote: RemoteTurns
}

/** Opens turns for clients to read, wherever they run. */
export class TurnReader {
  readonly #parts: TurnReaderParts

  constructor(parts: TurnReaderParts) {
    this.#parts = parts
  }

  /** The turn that this very message started before, if any. */
  async begun({ actor, sessionId, messageKey }: StartTurn): Promise<Refused | ReadableTurn | undefined> {
    if (messageKey === undefined) return undefined
    const row = await this.#parts.store.findByMessage(actor.did, sessionId, messageKey)
    return row && this.repeated(row.id)
  }

  /**
   * The turn that is there already for a message; undefined when it was taken back meanwhile. One that this process
   * claimed without learning of it, since the database broke off, is taken back here.
   */
  async repeated(turnId: string): Promise<Refused | ReadableTurn | undefined> {
    const { store, processId, local } = this.#parts
    const refused = await local.admission(turnId)
    if (refused) return { refused }
    const row = await store.find(turnId)
    if (row?.status === 'running' && row.processId === processId && !row.wasFollowed && !local.has(turnId)) {
      await store.takeBack({ ...row, turnId })
      return undefined
    }
    return row && this.read(row)
  }

  /**
   * A turn for a client to read, once it is admitted; undefined when it was taken back before.
   *
   * @param after The number of the last event that the client has read; 0 for none.
   */
  async read(turn: TurnRow, after = 0): Promise<Refused | ReadableTurn | undefined> {
    const { services, local, remote } = this.#parts
    if (await local.admission(turn.id)) return undefined
    const running = local.find(turn.id)
    if (running) return { turnId: turn.id, log: running.log, running }
    const row = await remote.readable(turn)
    if (!row || 'refused' in row) return row
    if (row.endedAgoMs !== undefined && !(await this.#hasAllEvents(row))) {
      if (after > 0 && row.status !== 'interrupted') return undefined
      if (after > 0 && after < firstReplayedNumber) return this.#follow(row)
      const messages = await services.sessions.messages(row.owner, row.sessionId)
      const answer = messages.find(message => message.id === row.answerId)
      return { turnId: row.id, log: replayAnswer(row, answer) }
    }
    return this.#follow(row)
  }

  /** Whether all events of an ended turn are kept: later they are deleted in parts, the first ones first. */
  async #hasAllEvents({ id, endedAgoMs = 0 }: TurnRow): Promise<boolean> {
    if (endedAgoMs > eventsKeptMs) return false
    const [first] = await this.#parts.store.eventsAfter(id, 0)
    return first?.id === 1
  }

  async #follow(row: TurnRow): Promise<ReadableTurn> {
    const { store, calls, recoverDead } = this.#parts
    return { turnId: row.id, log: await followStoredTurn(row, { store, calls, recoverDead }) }
  }
}

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
