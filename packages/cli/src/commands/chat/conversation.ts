import { type ChatTurn, type Decision, isFinal, type OracleClient } from '@sibyl/client'
import type { ApprovalQuestion, ChatView } from './chat-view.ts'
import type { Interruption } from './interruption.ts'

/** How an exchange ended. `open` leaves an approval question unanswered, `left` was cut short on this side. */
export type ExchangeEnd = 'done' | 'failed' | 'stopped' | 'open' | 'left'

/** Answers an approval question; undefined leaves it open. */
export type Decider = (question: ApprovalQuestion) => Promise<Decision | undefined>

/** What a conversation needs. */
export interface ConversationParts {
  readonly client: OracleClient
  readonly sessionId: string
  readonly view: ChatView
  readonly decide: Decider
  readonly interruption: Interruption
}

/** Messages of a person and the turns that answer them, in one session. */
export class Conversation {
  readonly #parts: ConversationParts

  constructor(parts: ConversationParts) {
    this.#parts = parts
  }

  /**
   * Says something and shows the turn that follows, with its approval questions, until it is over.
   *
   * @throws what the client throws
   */
  async say(text: string): Promise<ExchangeEnd> {
    const { client, sessionId, interruption, view } = this.#parts
    const aborting = new AbortController()
    const options = { signal: aborting.signal, onReconnecting: this.#onReconnecting }
    const release = interruption.duringTurn(
      () => client.stop(sessionId),
      () => aborting.abort(),
    )
    try {
      let turn: ChatTurn | undefined = await client.chat(text, { sessionId, ...options })
      for (;;) {
        const { end, questions } = await this.#show(turn)
        if (end !== 'done' || questions.length === 0) return end
        turn = undefined
        for (const question of questions) {
          view.question(question)
          const decision = await this.#parts.decide(question)
          if (decision === undefined) return 'open'
          const decided = await client.decide(sessionId, question.approvalId, decision, options)
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

  async #show(turn: ChatTurn): Promise<{ end: 'done' | 'failed' | 'stopped'; questions: ApprovalQuestion[] }> {
    const calls = new Map<string, { readonly tool: string; readonly input: unknown }>()
    const questions: ApprovalQuestion[] = []
    for await (const item of turn.events) {
      this.#parts.view.event(item)
      const { event } = item
      if (event.type === 'tool-input-available') {
        calls.set(event.toolCallId, { tool: event.toolName, input: event.input })
      } else if (event.type === 'tool-approval-request') {
        const { tool, input } = calls.get(event.toolCallId) ?? { tool: 'a tool', input: undefined }
        questions.push({ approvalId: event.approvalId, tool, input, question: event.reason ?? '' })
      } else if (isFinal(item)) {
        const end = event.type === 'error' ? 'failed' : event.type === 'abort' ? 'stopped' : 'done'
        return { end, questions }
      }
    }
    return { end: 'done', questions }
  }
}
