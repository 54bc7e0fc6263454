import type { TurnRow } from '../sessions/turn-row.ts'
import type { TurnStore } from '../sessions/turn-store.ts'
import { followStoredTurn, replayAnswer } from '../stream/stored-log.ts'
import type { TurnCalls } from '../stream/turn-calls.ts'
import { firstReplayedNumber } from '../stream/turn-log.ts'
import type { LocalTurns } from './local-turns.ts'
import type { RemoteTurns } from './remote-turns.ts'
import type { ReadableTurn, Refused, StartTurn } from './start-turn.ts'
import type { TurnServices } from './turn-services.ts'

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
