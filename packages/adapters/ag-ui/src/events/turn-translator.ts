import type { ChatEvent } from '@sibyl/protocol'
import type { AgUiEvent } from './ag-ui-event.ts'
import { partId } from './message-ids.ts'
import { deniedText } from './messages-of.ts'
import { resultText } from './result-text.ts'

/** The call of a tool while its arguments are streamed. */
interface OpenCall {
  hasArguments: boolean
}

/** Data parts of core's own that other events stand for. */
const known: ReadonlySet<string> = new Set(['data-question', 'data-client-call'])

/**
 * Translates the events of one turn to AG-UI. Each step of the answer is a message of its own, with the tool calls of that
 * step.
 */
export class TurnTranslator {
  readonly #turnId: string
  readonly #answered: ReadonlySet<string>
  readonly #texts = new Map<string, string>()
  readonly #reasoning = new Map<string, string>()
  readonly #calls = new Map<string, OpenCall>()
  #count = 0
  #answerId: string
  #messageId: string | undefined
  #hasText = false

  /** @param answered Calls whose results the client brought, and has already. */
  constructor(turnId: string, answered: ReadonlySet<string>) {
    this.#turnId = turnId
    this.#answerId = turnId
    this.#answered = answered
  }

  translate(event: ChatEvent): AgUiEvent[] {
    switch (event.type) {
      case 'start':
        this.#answerId = event.messageId ?? this.#turnId
        return []
      case 'start-step':
        this.#messageId = undefined
        this.#hasText = false
        return []
      case 'text-start':
        return this.#startText(event.id)
      case 'text-delta':
        return this.#text(event)
      case 'text-end':
        return this.#endText(event.id)
      case 'reasoning-start':
        return this.#startReasoning(event.id)
      case 'reasoning-delta':
        return this.#reason(event)
      case 'reasoning-end':
        return this.#endReasoning(event.id)
      case 'tool-input-start':
        return this.#startCall(event)
      case 'tool-input-delta':
        return this.#argue(event.toolCallId, event.inputTextDelta)
      case 'tool-input-available':
        return this.#call(event)
      case 'tool-input-error':
        return [...this.#call(event), ...this.#result(event.toolCallId, event.errorText)]
      case 'tool-output-available':
        return this.#result(event.toolCallId, resultText(event.output))
      case 'tool-output-error':
        return this.#result(event.toolCallId, event.errorText)
      case 'tool-output-denied':
        return this.#result(event.toolCallId, deniedText)
      default:
        return customEvents(event)
    }
  }

  /** Returns the events that close what the turn left open. */
  close(): AgUiEvent[] {
    return [
      ...[...this.#texts.keys()].flatMap(id => this.#endText(id)),
      ...[...this.#reasoning.keys()].flatMap(id => this.#endReasoning(id)),
      ...[...this.#calls.keys()].flatMap(id => this.#endCall(id)),
    ]
  }

  #nextId(): string {
    this.#count += 1
    // A turn that goes on after an approval continues the same answer.
    return partId(this.#answerId, `${this.#turnId}.${this.#count}`)
  }

  #stepMessage(): string {
    this.#messageId ??= this.#nextId()
    return this.#messageId
  }

  #startText(id: string): AgUiEvent[] {
    if (this.#hasText) this.#messageId = undefined
    this.#hasText = true
    const messageId = this.#stepMessage()
    this.#texts.set(id, messageId)
    return [{ type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' }]
  }

  #text({ id, delta }: { readonly id: string; readonly delta: string }): AgUiEvent[] {
    const messageId = this.#texts.get(id)
    return messageId === undefined || delta === '' ? [] : [{ type: 'TEXT_MESSAGE_CONTENT', messageId, delta }]
  }

  #endText(id: string): AgUiEvent[] {
    const messageId = this.#texts.get(id)
    this.#texts.delete(id)
    return messageId === undefined ? [] : [{ type: 'TEXT_MESSAGE_END', messageId }]
  }

  #startReasoning(id: string): AgUiEvent[] {
    const messageId = this.#nextId()
    this.#reasoning.set(id, messageId)
    return [
      { type: 'REASONING_START', messageId },
      { type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning' },
    ]
  }

  #reason({ id, delta }: { readonly id: string; readonly delta: string }): AgUiEvent[] {
    const messageId = this.#reasoning.get(id)
    return messageId === undefined || delta === '' ? [] : [{ type: 'REASONING_MESSAGE_CONTENT', messageId, delta }]
  }

  #endReasoning(id: string): AgUiEvent[] {
    const messageId = this.#reasoning.get(id)
    this.#reasoning.delete(id)
    if (messageId === undefined) return []
    return [
      { type: 'REASONING_MESSAGE_END', messageId },
      { type: 'REASONING_END', messageId },
    ]
  }

  #startCall({ toolCallId, toolName }: { readonly toolCallId: string; readonly toolName: string }): AgUiEvent[] {
    this.#calls.set(toolCallId, { hasArguments: false })
    const parentMessageId = this.#stepMessage()
    return [{ type: 'TOOL_CALL_START', toolCallId, toolCallName: toolName, parentMessageId }]
  }

  #argue(toolCallId: string, delta: string): AgUiEvent[] {
    const call = this.#calls.get(toolCallId)
    if (!call || delta === '') return []
    call.hasArguments = true
    return [{ type: 'TOOL_CALL_ARGS', toolCallId, delta }]
  }

  #call(call: { readonly toolCallId: string; readonly toolName: string; readonly input: unknown }): AgUiEvent[] {
    const { toolCallId, input } = call
    const begun = this.#calls.has(toolCallId) ? [] : this.#startCall(call)
    const isStreamed = this.#calls.get(toolCallId)?.hasArguments === true
    const given = isStreamed ? [] : this.#argue(toolCallId, JSON.stringify(input ?? {}))
    return [...begun, ...given, ...this.#endCall(toolCallId)]
  }

  #endCall(toolCallId: string): AgUiEvent[] {
    return this.#calls.delete(toolCallId) ? [{ type: 'TOOL_CALL_END', toolCallId }] : []
  }

  #result(toolCallId: string, content: string): AgUiEvent[] {
    if (this.#answered.has(toolCallId)) return []
    return [{ type: 'TOOL_CALL_RESULT', messageId: `${toolCallId}.result`, toolCallId, content, role: 'tool' }]
  }
}

const customEvents = (event: ChatEvent): AgUiEvent[] =>
  'data' in event && !known.has(event.type)
    ? [{ type: 'CUSTOM', name: `sibyl.${event.type.slice('data-'.length)}`, value: event.data }]
    : []
