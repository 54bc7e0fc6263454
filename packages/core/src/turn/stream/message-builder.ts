import { isToolPart, type MessagePart, type ToolPart } from '../../sessions/stored-message.ts'
import type { StreamEvent } from './turn-stream.ts'

/** Collects the events of a turn into the parts of the assistant message, like clients of the AI SDK. */
export class MessageBuilder {
  readonly parts: MessagePart[]
  readonly #open = new Map<string, MessagePart>()
  readonly #tools = new Map<string, ToolPart>()

  /** @param parts Earlier parts of the message, when a turn continues it. */
  constructor(parts: readonly MessagePart[] = []) {
    this.parts = parts.map(part => ({ ...part }))
    for (const part of this.parts) if (isToolPart(part)) this.#tools.set(part.toolCallId, part)
  }

  tool(toolCallId: string): ToolPart | undefined {
    return this.#tools.get(toolCallId)
  }

  /** Shows in the part of a tool's own question how the person decided. */
  answered(questionId: string, decision: { readonly approved: boolean; readonly reason?: string }): void {
    const asked = this.parts.find(({ type, id }) => type === 'data-question' && id === questionId)
    if (asked) asked.data = { ...(asked.data as object), ...decision }
  }

  /** Takes one event into the message. */
  apply(event: StreamEvent): void {
    switch (event.type) {
      case 'start-step':
        this.parts.push({ type: 'step-start' })
        break
      case 'text-start':
      case 'reasoning-start':
        this.#start(event)
        break
      case 'text-delta':
      case 'reasoning-delta':
        this.#extend(event)
        break
      case 'text-end':
      case 'reasoning-end':
        this.#close(event)
        break
      case 'tool-input-start':
      case 'tool-input-available':
      case 'tool-input-error':
        this.#call(event)
        break
      case 'tool-output-available':
        this.#settle(event, { state: 'output-available', output: event.output })
        break
      case 'tool-output-error':
        this.#settle(event, { state: 'output-error', errorText: String(event.errorText) })
        break
      case 'tool-output-denied':
        this.#settle(event, { state: 'output-denied' })
        break
      case 'tool-approval-request':
        this.#settle(event, {
          state: 'approval-requested',
          approval: {
            id: String(event.approvalId),
            ...(event.reason === undefined ? {} : { requestReason: String(event.reason) }),
          },
        })
        break
      default:
        if (event.type.startsWith('data-') && event.transient !== true) this.#data(event)
        else if (event.type === 'source-url' || event.type === 'source-document' || event.type === 'file') {
          this.parts.push({ ...event })
        }
    }
  }

  #start(event: StreamEvent): void {
    const part: MessagePart = {
      type: event.type === 'text-start' ? 'text' : 'reasoning',
      text: '',
      state: 'streaming',
      ...(event.providerMetadata ? { providerMetadata: event.providerMetadata } : {}),
    }
    this.#open.set(String(event.id), part)
    this.parts.push(part)
  }

  #extend(event: StreamEvent): void {
    const part = this.#open.get(String(event.id))
    if (!part) return
    part.text = `${part.text}${event.delta}`
    if (event.providerMetadata) part.providerMetadata = event.providerMetadata
  }

  #close(event: StreamEvent): void {
    const part = this.#open.get(String(event.id))
    if (!part) return
    part.state = 'done'
    if (event.providerMetadata) part.providerMetadata = event.providerMetadata
    this.#open.delete(String(event.id))
  }

  #call(event: StreamEvent): void {
    const toolCallId = String(event.toolCallId)
    let part = this.#tools.get(toolCallId)
    if (!part) {
      const dynamic = event.dynamic === true
      part = {
        type: dynamic ? 'dynamic-tool' : `tool-${String(event.toolName)}`,
        ...(dynamic ? { toolName: String(event.toolName) } : {}),
        toolCallId,
        state: 'input-streaming',
      }
      this.#tools.set(toolCallId, part)
      this.parts.push(part)
    }
    if (event.providerMetadata) part.callProviderMetadata = event.providerMetadata
    if (event.type === 'tool-input-start') return
    part.input = event.input
    part.state = event.type === 'tool-input-available' ? 'input-available' : 'output-error'
    if (event.type === 'tool-input-error') part.errorText = String(event.errorText)
  }

  #settle(event: StreamEvent, change: Partial<ToolPart>): void {
    const part = this.#tools.get(String(event.toolCallId))
    if (part) Object.assign(part, change)
  }

  #data(event: StreamEvent): void {
    const known =
      event.id === undefined ? undefined : this.parts.find(part => part.type === event.type && part.id === event.id)
    if (known) known.data = event.data
    else this.parts.push({ type: event.type, id: event.id, data: event.data })
  }
}
