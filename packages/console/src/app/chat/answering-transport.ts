import { type ChatTurn, type OracleClient, SibylChatTransport } from '@sibyl/client'
import type { approvalDecision } from '@sibyl/protocol'
import type { UIMessageChunk } from 'ai'
import type { z } from 'zod'
import type { ChatMessage } from './chat-message.ts'

type SendOptions = Parameters<SibylChatTransport<ChatMessage>['sendMessages']>[0]

/** Connects `useChat` to the oracle, and sends approvals for the conversation and answers with data, which it does not know. */
export class AnsweringTransport extends SibylChatTransport<ChatMessage> {
  readonly #client: OracleClient
  readonly #answers = new Map<string, z.infer<typeof approvalDecision>>()

  constructor(client: OracleClient, onReconnecting: () => void) {
    super({ client, onReconnecting })
    this.#client = client
  }

  /** Sets what is sent with the answer to an approval; call it before `addToolApprovalResponse` of the chat. */
  answerWith(approvalId: string, answer: z.infer<typeof approvalDecision>): void {
    this.#answers.set(approvalId, answer)
  }

  override async sendMessages(options: SendOptions): Promise<ReadableStream<UIMessageChunk>> {
    const message = options.messages.at(-1)
    const given = (message?.parts ?? []).flatMap(part =>
      'approval' in part && part.state === 'approval-responded' ? [part.approval] : [],
    )
    if (message?.role !== 'assistant' || !given.some(({ id }) => this.#answers.has(id))) {
      return super.sendMessages(options)
    }
    let turn: ChatTurn | undefined
    for (const { id, approved } of given) {
      const { decision, ...more } = this.#answers.get(id) ?? { decision: approved ? 'once' : 'deny' }
      const decided = await this.#client.decide(options.chatId, id, decision, { ...more, signal: options.abortSignal })
      this.#answers.delete(id)
      if ('events' in decided) turn = decided
    }
    return turn ? this.chunksOf(turn) : super.sendMessages(options)
  }
}
