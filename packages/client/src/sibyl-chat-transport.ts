import type { ChatMessage } from '@sibyl/protocol'
import type { ChatTransport, UIMessage, UIMessageChunk } from 'ai'
import type { ChatTurn } from './chat/chat-turn.ts'
import type { Reconnecting } from './chat/reconnect-policy.ts'
import { rawEvent } from './chat/streamed-event.ts'
import type { OracleClient } from './create-client.ts'
import { TurnFailedError } from './errors/turn-failed-error.ts'

type SendOptions<Message extends UIMessage> = Parameters<ChatTransport<Message>['sendMessages']>[0]
type ReconnectOptions<Message extends UIMessage> = Parameters<ChatTransport<Message>['reconnectToStream']>[0]

/**
 * Connects `useChat` of the AI SDK to an oracle: a fresh invocation for each request, broken streams taken up by
 * themselves, only the newest message sent, and a turn's failure as `TurnFailedError` with the oracle's code.
 *
 * The chat's own `stop()` only stops reading, as it does when its component goes away; `stop` of the transport ends the
 * turn at the oracle.
 *
 * @example
 * const transport = new SibylChatTransport({ client })
 * const chat = useChat({ transport })
 * <button onClick={() => transport.stop(chat.id)}>Stop</button>
 */
export class SibylChatTransport<Message extends UIMessage = UIMessage> implements ChatTransport<Message> {
  /** Reconnecting replays the whole turn. */
  readonly resumeStreamIsReplay = true
  readonly #client: OracleClient
  readonly #onReconnecting: ((reconnecting: Reconnecting) => void) | undefined

  /** @param options `onReconnecting` is called when a connection broke and another try follows. */
  constructor(options: { client: OracleClient; onReconnecting?: (reconnecting: Reconnecting) => void }) {
    this.#client = options.client
    this.#onReconnecting = options.onReconnecting
  }

  /** Sends the newest message, or the answers to approval questions, and gives the turn's stream. */
  async sendMessages(options: SendOptions<Message>): Promise<ReadableStream<UIMessageChunk>> {
    const { chatId, messages, messageId, trigger, abortSignal } = options
    const turn = { signal: abortSignal, onReconnecting: this.#onReconnecting }
    if (trigger === 'regenerate-message') {
      return chunksOf(await this.#client.regenerate(chatId, { messageId, ...turn }))
    }
    const message = messages.find(it => it.id === messageId && it.role === 'assistant') ?? messages.at(-1)
    if (!message) throw new TypeError('There is no message to send.')
    return chunksOf(await this.#client.chat(toSend(message), { sessionId: chatId, ...turn }))
  }

  /** Reads along with the turn that runs; null when none does. */
  async reconnectToStream(options: ReconnectOptions<Message>): Promise<ReadableStream<UIMessageChunk> | null> {
    const { chatId, abortSignal } = options
    const turn = await this.#client.resume(chatId, { signal: abortSignal, onReconnecting: this.#onReconnecting })
    return turn ? chunksOf(turn) : null
  }

  /** Stops the turn that runs in a chat; what it said so far is kept. */
  stop(chatId: string): Promise<void> {
    return this.#client.stop(chatId)
  }
}

/** Of an own answer the oracle reads nothing but what the person decided in it. */
const toSend = (message: UIMessage): ChatMessage => ({
  id: message.id,
  role: message.role,
  parts:
    message.role === 'assistant'
      ? message.parts.filter(part => 'state' in part && part.state === 'approval-responded')
      : message.parts,
})

const chunksOf = (turn: ChatTurn): ReadableStream<UIMessageChunk> => {
  const events = turn.events[Symbol.asyncIterator]()
  return new ReadableStream<UIMessageChunk>({
    async pull(controller) {
      const { done, value } = await events.next()
      if (done) return controller.close()
      if (value.event.type === 'error') throw new TurnFailedError(value.event.errorText, value.event.code)
      controller.enqueue(rawEvent(value) as UIMessageChunk)
    },
    async cancel() {
      await events.return?.()
    },
  })
}
