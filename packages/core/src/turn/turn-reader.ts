import { setTimeout as pause } from 'node:timers/promises'
import { isToolPart, type StoredMessage, toolNameOf } from '../sessions/stored-message.ts'
import type { ClaimDependencies, LocalTurns } from './claim/local-turns.ts'
import type { RemoteTurns } from './claim/remote-turns.ts'
import { vanishedAfterMs } from './store/recover-turns.ts'
import type { RequestedTurn } from './store/requested-turn.ts'
import type { ReadableTurn } from './store/running-turn.ts'
import type { TurnRow } from './store/turn.ts'
import type { Refused } from './store/turn-refusals.ts'
import type { TurnStore } from './store/turn-store.ts'
import { type StreamEvent, TurnStream } from './stream/turn-stream.ts'
import { firstReplayedNumber, unstoredEnds } from './stream/unstored-ends.ts'

/** The time for which the events of a finished turn can be read again, in milliseconds. */
export const eventsKeptMs = 600_000

/** Opens turns for clients to read, wherever they run. */
export class TurnReader {
  readonly #dependencies: ClaimDependencies
  readonly #local: LocalTurns
  readonly #remote: RemoteTurns
  readonly #recoverCrashed: () => Promise<unknown>

  /** @param recoverCrashed Continues the turns of crashed processes, or ends them. */
  constructor(
    dependencies: ClaimDependencies,
    local: LocalTurns,
    remote: RemoteTurns,
    recoverCrashed: () => Promise<unknown>,
  ) {
    this.#dependencies = dependencies
    this.#local = local
    this.#remote = remote
    this.#recoverCrashed = recoverCrashed
  }

  /**
   * Returns the turn to read for a client that comes back; undefined when there is nothing to read.
   *
   * @param wait Without `last`: how long to wait for the next turn of the session, in milliseconds. @default not at all
   */
  async resume(
    owner: string,
    sessionId: string,
    last: { readonly turnId: string; readonly after: number } | undefined,
    wait?: { readonly limitMs: number; readonly signal: AbortSignal },
  ): Promise<ReadableTurn | undefined> {
    const { turns } = this.#dependencies
    const before = wait && !last ? await turns.findLatest(owner, sessionId) : undefined
    let row = last ? await turns.find(last.turnId) : await turns.findRunning(owner, sessionId)
    for (
      let leftMs = wait?.limitMs ?? 0;
      !row && !last && leftMs > 0 && !wait?.signal.aborted;
      leftMs -= pollIntervalMs
    ) {
      await pause(Math.min(leftMs, pollIntervalMs))
      const latest = await turns.findLatest(owner, sessionId)
      if (latest !== undefined && latest !== before) row = await turns.find(latest)
    }
    if (!row || row.owner !== owner || row.sessionId !== sessionId) return undefined
    if (row.endedAgoMs !== undefined && row.endedAgoMs > eventsKeptMs) return undefined
    const turn = await this.read(row, last?.after)
    return turn && 'refused' in turn ? undefined : turn
  }

  /** The turn that this very message started before, if any. */
  async begun({ actor, sessionId, messageKey }: RequestedTurn): Promise<Refused | ReadableTurn | undefined> {
    if (messageKey === undefined) return undefined
    const row = await this.#dependencies.turns.findByMessage(actor.did, sessionId, messageKey)
    return row && this.repeated(row.id)
  }

  /**
   * The turn that is there already for a message; undefined when it was taken back meanwhile. One that this process
   * claimed without learning of it, since the database broke off, is taken back here.
   */
  async repeated(turnId: string): Promise<Refused | ReadableTurn | undefined> {
    const { turns, processes } = this.#dependencies
    const refused = await this.#local.admission(turnId)
    if (refused) return { refused }
    const row = await turns.find(turnId)
    const isOwn = row?.status === 'running' && row.processId === processes.ownId
    if (isOwn && !row.wasFollowed && !this.#local.has(turnId)) {
      await turns.takeBack(row)
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
    if (await this.#local.admission(turn.id)) return undefined
    const local = this.#local.find(turn.id)
    if (local) return local
    const row = await this.#remote.readable(turn)
    if (!row || 'refused' in row) return row
    if (row.endedAgoMs !== undefined && !(await this.#hasAllEvents(row))) {
      if (after > 0 && row.status !== 'interrupted') return undefined
      if (after > 0 && after < firstReplayedNumber) return this.#follow(row)
      const answer = await this.#dependencies.sessions.message(row.owner, row.sessionId, row.answerId)
      return { turnId: row.id, stream: replayAnswer(row, answer) }
    }
    return this.#follow(row)
  }

  /** Whether all events of an ended turn are kept: later they are deleted in parts, the first ones first. */
  async #hasAllEvents({ id, endedAgoMs = 0 }: TurnRow): Promise<boolean> {
    if (endedAgoMs > eventsKeptMs) return false
    const [first] = await this.#dependencies.turns.eventsAfter(id, 0)
    return first !== undefined && (first.id === 1 || resumedAfter(JSON.parse(first.json)) === 0)
  }

  async #follow(row: TurnRow): Promise<ReadableTurn> {
    return { turnId: row.id, stream: await followStoredTurn(row, this.#dependencies, this.#recoverCrashed) }
  }
}

/** The interval of reading a turn of another process without a notification, in milliseconds. */
const pollIntervalMs = 500

/** The interval of signs to the process that runs a turn that it has a reader here, in milliseconds. */
const noteIntervalMs = 1_000

const endTypes = new Set(['finish', 'abort', 'error'])

/** The time without a reader after which following ends, in milliseconds. */
const unreadLimitMs = 3_000

/**
 * Returns the stream of a turn that this process does not run: stored events, and new ones while it has a reader. That it is
 * followed was noted before.
 */
const followStoredTurn = async (
  row: TurnRow,
  dependencies: StoredTurns,
  recoverCrashed: () => Promise<unknown>,
): Promise<TurnStream> => {
  const stream = new TurnStream(row.id)
  const copy = () => copyEvents(dependencies.turns, row.id, stream, recoverCrashed)
  if (!(await copy())) void follow(dependencies, row.id, stream, copy)
  return stream
}

/** Reads on at every call and now and then, until the turn has ended or it has no reader any more. */
const follow = async (
  { turns, notifier }: StoredTurns,
  turnId: string,
  stream: TurnStream,
  copy: () => Promise<boolean>,
): Promise<void> => {
  let readAt = performance.now()
  let notedAt = readAt
  for (let isFirst = true; ; isFirst = false) {
    const notified = notifier.notified(turnId, pollIntervalMs)
    const now = performance.now()
    if (stream.readers > 0) readAt = now
    if (now - readAt > unreadLimitMs) return
    if (isFirst) notifier.notify(turnId)
    else if (stream.readers > 0 && now - notedAt >= noteIntervalMs) {
      notedAt = now
      await turns.noteFollower(turnId).catch(() => {})
    }
    if (await copy().catch(() => false)) return
    await notified
  }
}

/** Copies new events into the stream; true once the turn has ended. */
const copyEvents = async (
  turns: TurnStore,
  turnId: string,
  stream: TurnStream,
  recoverCrashed: () => Promise<unknown>,
): Promise<boolean> => {
  if (stream.ended) return true
  const row = await turns.find(turnId)
  for (const { id, json } of await turns.eventsAfter(turnId, stream.nextNumber - 1)) {
    const event = JSON.parse(json) as StreamEvent
    if (id !== stream.nextNumber) {
      const after = resumedAfter(event)
      if (after === undefined) continue
      stream.resume(after, id)
    }
    if (endTypes.has(event.type)) {
      stream.end(event)
      return true
    }
    stream.append(event)
  }
  if (row && row.status === 'running') {
    if (row.silentMs > vanishedAfterMs) await recoverCrashed()
    return false
  }
  stream.endUnstored(unstoredEnds.interrupted)
  return true
}

/** Returns the number of the event after which a turn continued in another process, if an event says so. */
const resumedAfter = ({ type, data }: StreamEvent): number | undefined =>
  type === 'data-resumed' ? (data as { readonly after: number }).after : undefined

type StoredTurns = Pick<ClaimDependencies, 'turns' | 'notifier'>

/**
 * The log of a turn whose events are not kept, made again from the stored answer. Of an interrupted turn its events have numbers
 * of their own: clients may have seen others that were never stored.
 */
export const replayAnswer = (row: TurnRow, answer: StoredMessage | undefined): TurnStream => {
  const stream = new TurnStream(row.id, row.status === 'interrupted' ? firstReplayedNumber : 1)
  stream.append({
    type: 'start',
    messageId: row.answerId,
    messageMetadata: { sessionId: row.sessionId, turnId: row.id },
  })
  const parts = answer?.parts ?? []
  const open = new Set(parts.flatMap(part => (part.state === 'approval-requested' ? [approvalIdOf(part)] : [])))
  for (const [index, part] of parts.entries()) {
    if (part.type === 'data-question' && open.has(part.id)) continue
    const asked = parts.find(({ type, id }) => type === 'data-question' && id === approvalIdOf(part))
    for (const event of eventsOf(part, `${row.id}-${index}`, asked)) stream.append(event)
  }
  if (row.status === 'stopped') stream.end({ type: 'abort', reason: 'Stopped.' })
  else if (row.status === 'failed') {
    stream.end({ type: 'error', errorText: 'The turn failed.', code: row.code ?? 'turn_failed' })
  } else if (row.status === 'interrupted') stream.end(unstoredEnds.interrupted.event)
  else stream.end({ type: 'finish', finishReason: 'stop', messageMetadata: answer?.metadata ?? {} })
  return stream
}

type Part = StoredMessage['parts'][number]

const approvalIdOf = (part: Part): unknown => (isToolPart(part) ? part.approval?.id : undefined)

/** @param asked The question of the part's call to a person, which precedes the request for the answer. */
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
    const { id: approvalId, requestReason: reason } = part.approval
    const request = {
      type: 'tool-approval-request',
      approvalId,
      toolCallId,
      ...(reason === undefined ? {} : { reason }),
    }
    return asked ? [call, { ...asked }, request] : [call, request]
  }
  return [call, { type: 'tool-output-error', toolCallId, errorText: part.errorText ?? 'The tool failed.' }]
}
