import type { TestActor } from '@sibyl/testing'
import { Ledger } from '../frame/ledger.ts'
import { readTurn, type SeenTurn, takeTurn } from '../frame/take-turn.ts'
import type { Heard } from './moments.ts'

/** Options of the clients. */
export interface NotingClientsOptions<Speaker> {
  /** Whether there is more to say, after so many messages. */
  readonly more: (sent: number) => boolean
  readonly atOnce: number
  readonly turnsPerSession: number
  /** Returns the current speaker. */
  readonly speaker: () => Promise<Speaker>
  /** The person, speaking to them. */
  readonly actor: (speaker: Speaker) => TestActor
  /** Returns the files of a message, as parts of the AI SDK. */
  readonly files?: (messageId: string) => readonly object[]
  /** Called with every signal of a client. */
  readonly hear: (heard: Heard, speaker: Speaker) => void
  /** Called when the connection of a message breaks. */
  readonly broken?: (messageId: string) => void
  /** Called when a message has ended. */
  readonly ended?: (messageId: string) => void
}

/** Results of the clients. */
export interface NotingClientsResult {
  readonly ledger: Ledger
  /** Endings of turns, counted: `finish`, an error code, or `none`. */
  readonly endings: ReadonlyMap<string, number>
  /** The messages whose answer finished, except those that do not know whether their effect happened. */
  readonly finished: readonly string[]
  /** Number of messages without an end. */
  readonly unended: number
  /** Events that came out of order. */
  readonly outOfOrder: number
}

/** The answer to a call whose process ended while it ran. */
export const unknownText = 'It is unknown whether it is noted.'

/** Maximum number of attempts to read the end of a message. */
const maxTries = 200
const pauseMs = 50

/** Declines a question, and reads the answer as far as it comes; undefined without one. */
const decline = async (actor: TestActor, path: string): Promise<SeenTurn | undefined> => {
  const response = await actor.request(path, { json: { decision: 'deny' } }).catch(() => undefined)
  return response?.status === 200 ? readTurn(response) : undefined
}

/**
 * Clients that say one thing after the other, each in sessions of its own, and note what was acknowledged. Where the
 * connection breaks they do what a browser does: send the same message again until it has an end.
 */
export const runNotingClients = async <Speaker>(
  options: NotingClientsOptions<Speaker>,
): Promise<NotingClientsResult> => {
  const ledger = new Ledger()
  const endings = new Map<string, number>()
  const finished: string[] = []
  const counts = { unended: 0, outOfOrder: 0, next: 0 }

  const converse = async (client: number) => {
    for (let sent = 0; options.more(counts.next); sent += 1) {
      counts.next += 1
      const sessionId = `session-${client}-${Math.floor(sent / options.turnsPerSession)}`
      const messageId = `message-${client}-${sent}`
      const ending = await untilEnded(sessionId, messageId)
      options.ended?.(messageId)
      endings.set(ending, (endings.get(ending) ?? 0) + 1)
      if (ending === 'none') counts.unended += 1
    }
  }

  const untilEnded = async (sessionId: string, messageId: string): Promise<string> => {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const speaker = await options.speaker()
      const message = { sessionId, messageId, text: messageId, files: options.files?.(messageId) ?? [] }
      const turn = await takeTurn(options.actor(speaker), message, heard => {
        if (heard === 'acknowledged') ledger.message(sessionId, messageId, messageId)
        options.hear(heard, speaker)
      })
      counts.outOfOrder += turn.outOfOrder
      const question = turn.events.findLast(({ type }) => type === 'tool-approval-request')
      if (turn.last?.type === 'finish' && question) {
        // Whether a call took effect before the process ended: they do not know.
        const path = `/chat/${sessionId}/approvals/${question.approvalId}`
        const rest = await decline(options.actor(speaker), path)
        if (rest?.last?.type === 'finish') {
          ledger.answer(sessionId, String(rest.last.eventId).split(':')[0]!, turn.text + rest.text)
          return 'finish'
        }
      } else if (turn.last?.type === 'finish') {
        ledger.answer(sessionId, String(turn.last.eventId).split(':')[0]!, turn.text)
        if (!turn.text.includes(unknownText)) finished.push(messageId)
        return 'finish'
      } else if (turn.last) return String(turn.last.code ?? turn.last.type)
      options.broken?.(messageId)
      await new Promise(resolve => setTimeout(resolve, pauseMs))
    }
    return 'none'
  }

  await Promise.all(Array.from({ length: options.atOnce }, (_, client) => converse(client)))
  return { ledger, endings, finished, unended: counts.unended, outOfOrder: counts.outOfOrder }
}
