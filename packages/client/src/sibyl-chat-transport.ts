import type { ChatMessage } from '@sibyl/protocol'
import type { ChatTransport, UIMessage, UIMessageChunk } from 'ai'
import type { ChatTurn } from './chat/chat-turn.ts'
import type { Reconnecting } from './chat/reconnect-policy.ts'
import { rawEvent } from './chat/streamed-event.ts'
import type { ClientToolInput, OracleClient } from './create-client.ts'
import { TurnFailedError } from './errors/turn-errors.ts'

type SendOptions<Message extends UIMessage> = Parameters<ChatTransport<Message>['sendMessages']>[0]
type ReconnectOptions<Message extends UIMessage> = Parameters<ChatTransport<Message>['reconnectToStream']>[0]

/** Options of `SibylChatTransport`. */
export interface SibylChatTransportOptions {
  readonly client: OracleClient
  /** Tools that the page runs in `onToolCall` of the chat. */
  readonly clientTools?: readonly ClientToolInput[] | undefined
  /** Called when a connection broke and another try follows. */
  readonly onReconnecting?: ((reconnecting: Reconnecting) => void) | undefined
}

/**
 * Connects `useChat` of the AI SDK to an oracle: a fresh invocation for each request, broken streams taken up by
 * themselves, only the newest message sent, and a turn's failure as `TurnFailedError` with the oracle's code.
 *
 * The chat's own `stop()` only stops reading, as it does when its component goes away; `stop` of the transport ends the
 * turn at the oracle. Where the oracle restarts in the middle of an answer, the stream ends, and the message has no outcome in its
 * metadata: `chat.resumeStream()` reads the whole answer then.
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
  readonly #clientTools: readonly ClientToolInput[] | undefined
  readonly #onReconnecting: ((reconnecting: Reconnecting) => void) | undefined

  constructor({ client, clientTools, onReconnecting }: SibylChatTransportOptions) {
    this.#client = client
    this.#clientTools = clientTools
    this.#onReconnecting = onReconnecting
  }

  /** Sends the newest message, or approval answers and results of the page's tools, and returns the turn's stream. */
  async sendMessages(options: SendOptions<Message>): Promise<ReadableStream<UIMessageChunk>> {
    const { chatId, messages, messageId, trigger, abortSignal } = options
    const clientTools = this.#clientTools
    const turn = { signal: abortSignal, onReconnecting: this.#onReconnecting, clientTools }
    if (trigger === 'regenerate-message') {
      return this.chunksOf(await this.#client.regenerate(chatId, { messageId, ...turn }))
    }
    const message = messages.find(it => it.id === messageId && it.role === 'assistant') ?? messages.at(-1)
    if (!message) throw new TypeError('There is no message to send.')
    const replaces = message.role === 'user' ? messageId : undefined
    return this.chunksOf(
      await this.#client.chat(toSend(message, clientTools), { sessionId: chatId, replaces, ...turn }),
    )
  }

  /** Reads along with the turn that runs; null when none does. */
  async reconnectToStream(options: ReconnectOptions<Message>): Promise<ReadableStream<UIMessageChunk> | null> {
    const { chatId, abortSignal } = options
    const turn = await this.#client.resume(chatId, { signal: abortSignal, onReconnecting: this.#onReconnecting })
    return turn ? this.chunksOf(turn) : null
  }

  /** Stops the turn that runs in a chat; what it said so far is kept. */
  stop(chatId: string): Promise<void> {
    return this.#client.stop(chatId)
  }

  /** Returns the stream of a turn, also for transports that extend this one. */
  protected chunksOf(turn: ChatTurn): ReadableStream<UIMessageChunk> {
    const events = turn.events[Symbol.asyncIterator]()
    return new ReadableStream<UIMessageChunk>({
      async pull(controller) {
        const { done, value } = await events.next()
        if (done) return controller.close()
        if (value.event.type === 'data-resumed') {
          await events.return?.()
          return controller.close()
        }
        if (value.event.type === 'error') throw new TurnFailedError(value.event.errorText, value.event.code)
        controller.enqueue(rawEvent(value) as UIMessageChunk)
      },
      async cancel() {
        await events.return?.()
      },
    })
  }
}

/** Of an answer the oracle reads what the person decided in it, and the results of the page's tools. */
const toSend = (message: UIMessage, clientTools: readonly ClientToolInput[] = []): ChatMessage => {
  const own = new Set(clientTools.map(({ name }) => name))
  const isRead = (part: UIMessage['parts'][number]): boolean => {
    if (!('toolCallId' in part)) return false
    if (part.state === 'approval-responded') return true
    const name = 'toolName' in part ? part.toolName : part.type.slice('tool-'.length)
    return (part.state === 'output-available' || part.state === 'output-error') && own.has(name)
  }
  const { id, role, parts } = message
  return { id, role, parts: role === 'assistant' ? parts.filter(isRead) : parts }
}
