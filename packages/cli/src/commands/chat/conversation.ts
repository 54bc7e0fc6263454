import { randomUUID } from 'node:crypto'
import { type ChatTurn, type Decision, isFinal, type OracleClient } from '@sibyl/client'
import { type JsonObject, type JsonValue, messageParts } from '@sibyl/protocol'
import type { ApprovalQuestion, ChatView } from './chat-view.ts'
import type { Interruption } from './interruption.ts'
import type { TurnCost } from './turn-cost.ts'

/** The end of an exchange. `open` leaves an approval question unanswered, `left` was interrupted by this side. */
export type ExchangeEnd = 'done' | 'failed' | 'stopped' | 'open' | 'left'

/** The answer of a user to a question. */
export interface Answer {
  readonly decision: Decision
  /** The answer to the question of a tool. */
  readonly data?: JsonValue
}

/** Answers a question; undefined leaves it open. */
export type Decider = (question: ApprovalQuestion) => Promise<Answer | undefined>

interface ConversationParts {
  readonly client: OracleClient
  readonly sessionId: string
  readonly view: ChatView
  readonly decide: Decider
  readonly interruption: Interruption
  /** Reads the cost of a turn, as text. */
  readonly costOf?: TurnCost
  /** Called for each message of the conversation that was shown. */
  readonly onShown?: (messageId: string) => void
}

/** The tools of the calls of an exchange; a later turn of it may ask about them. */
type Calls = Map<string, string>

/** Messages of a user and the turns that answer them, in one session. */
export class Conversation {
  readonly #parts: ConversationParts

  constructor(parts: ConversationParts) {
    this.#parts = parts
  }

  /**
   * Sends a message and shows the turn that follows, with its approval questions, until it ends.
   *
   * @throws the errors of the client
   */
  async send(text: string): Promise<ExchangeEnd> {
    const { client, sessionId, interruption, view } = this.#parts
    const aborting = new AbortController()
    const options = { signal: aborting.signal, onReconnecting: this.#onReconnecting }
    const release = interruption.duringTurn(
      () => client.stop(sessionId),
      () => aborting.abort(),
    )
    const calls: Calls = new Map()
    const messageId = randomUUID()
    this.#parts.onShown?.(messageId)
    try {
      let turn: ChatTurn | undefined = await client.chat(text, { sessionId, messageId, ...options })
      for (;;) {
        const { end, questions } = await this.#show(turn, calls)
        if (end !== 'done' || questions.length === 0) return end
        turn = undefined
        for (const question of questions) {
          view.question(question)
          const answer = await this.#parts.decide(question)
          if (answer === undefined) return 'open'
          const { decision, data } = answer
          const given = data === undefined ? options : { ...options, data }
          const decided = await client.decide(sessionId, question.approvalId, decision, given)
          if ('events' in decided) turn = decided
        }
        if (!turn) return 'open'
      }
    } catch (error) {
      if (aborting.signal.aborted) return 'left'
      throw error
    } finally {
      view.settle()
      release()
    }
  }

  readonly #onReconnecting = ({ attempt }: { readonly attempt: number }) => {
    if (attempt === 1) this.#parts.view.reconnecting()
  }

  async #show(
    turn: ChatTurn,
    calls: Calls,
  ): Promise<{ end: 'done' | 'failed' | 'stopped'; questions: ApprovalQuestion[] }> {
    const asked = new Map<string, { readonly schema: JsonObject | undefined }>()
    const questions: ApprovalQuestion[] = []
    let answerId: string | undefined
    for await (const item of turn.events) {
      const { event } = item
      const turnId = event.type === 'finish' ? event.messageMetadata?.turnId : undefined
      this.#parts.view.event(item, turnId === undefined ? undefined : await this.#parts.costOf?.(turnId))
      if (event.type === 'start') {
        answerId = event.messageId
      } else if (event.type === 'tool-input-available') {
        calls.set(event.toolCallId, event.toolName)
      } else if (event.type === 'data-question') {
        const { data } = messageParts.question.safeParse('data' in event ? event.data : undefined)
        if (data) asked.set(data.approvalId, { schema: data.schema })
      } else if (event.type === 'tool-approval-request') {
        const { approvalId, toolCallId, reason: question = '' } = event
        const asks = asked.get(approvalId)
        const tool = calls.get(toolCallId) ?? 'a tool'
        questions.push({ approvalId, tool, question, ...(asks ? { asks } : {}) })
      } else if (isFinal(item)) {
        if (answerId !== undefined) this.#parts.onShown?.(answerId)
        const end = event.type === 'error' ? 'failed' : event.type === 'abort' ? 'stopped' : 'done'
        return { end, questions }
      }
    }
    return { end: 'done', questions }
  }
}
