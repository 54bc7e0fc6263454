import type { StartedTurn, TurnResult } from '@sibyl/plugin'
import { type ChatEvent, chatEvent } from '@sibyl/protocol'
import { z } from 'zod'

/** An event of the oracle's own, which the OpenAI API has no form for. */
export type SibylEvent =
  | { readonly type: 'tool_call'; readonly id: string; readonly name: string; readonly input: unknown }
  | { readonly type: 'tool_result'; readonly id: string; readonly output?: unknown; readonly error?: string }
  | { readonly type: 'approval'; readonly id: string; readonly tool_call: string; readonly text: string }
  | { readonly type: 'notice'; readonly code: string; readonly text: string }

/** A piece of an answer in either API. */
export type AnswerPiece =
  | { readonly kind: 'text' | 'reasoning'; readonly text: string }
  | { readonly kind: 'event'; readonly event: SibylEvent }
  | { readonly kind: 'call'; readonly call: ClientCall }
  | {
      readonly kind: 'end'
      readonly result: TurnResult
      readonly approvals: readonly string[]
      /** Calls that the client is to run. */
      readonly calls: readonly ClientCall[]
    }

/** A call of a tool that the client runs. */
export interface ClientCall {
  readonly id: string
  readonly name: string
  /** JSON. */
  readonly arguments: string
  readonly approvalId: string
}

const clientCall = z.object({
  type: z.literal('data-client-call'),
  data: z.object({ approvalId: z.string(), toolCallId: z.string(), toolName: z.string() }),
})

const howToAnswer = 'Answer yes, always or no.'

/** Reads a turn as pieces of an answer; the last one is its end. Approval questions become text with how to answer them. */
export async function* answerPieces({ events, finished }: StartedTurn): AsyncGenerator<AnswerPiece> {
  const approvals = new Map<string, string>()
  const inputs = new Map<string, SibylEvent & { readonly type: 'tool_call' }>()
  const calls: ClientCall[] = []
  let hasText = false
  for await (const { event } of events) {
    const { data } = chatEvent.safeParse(event)
    if (!data) continue
    if (data.type === 'text-start' && hasText) yield { kind: 'text', text: '\n\n' }
    if (isEvent(data, 'text-delta') && data.delta !== '') {
      hasText = true
      yield { kind: 'text', text: data.delta }
    }
    if (isEvent(data, 'reasoning-delta')) yield { kind: 'reasoning', text: data.delta }
    const called = clientCall.safeParse(data).data?.data
    if (called) {
      const { toolCallId: id, toolName: name, approvalId } = called
      const call = { id, name, arguments: JSON.stringify(inputs.get(id)?.input ?? {}), approvalId }
      calls.push(call)
      yield { kind: 'call', call }
    }
    const own = sibylEvent(data)
    if (own?.type === 'tool_call') inputs.set(own.id, own)
    if (own?.type === 'approval') approvals.set(own.id, own.text)
    if (own) yield { kind: 'event', event: own }
  }
  const result = await finished
  if (approvals.size > 0 && result.outcome === 'awaiting-approval') {
    const asked = [...approvals.values()].join('\n')
    yield { kind: 'text', text: `${hasText ? '\n\n' : ''}${asked}\n\n${howToAnswer}` }
  }
  const waits = result.outcome === 'awaiting-approval'
  yield { kind: 'end', result, approvals: waits ? [...approvals.keys()] : [], calls: waits ? calls : [] }
}

const isEvent = <Type extends ChatEvent['type']>(
  event: ChatEvent,
  type: Type,
): event is Extract<ChatEvent, { readonly delta: string }> => event.type === type

const sibylEvent = (event: ChatEvent): SibylEvent | undefined => {
  switch (event.type) {
    case 'tool-input-available':
      return 'toolName' in event
        ? { type: 'tool_call', id: event.toolCallId, name: event.toolName, input: event.input }
        : undefined
    case 'tool-output-available':
      return 'output' in event ? { type: 'tool_result', id: event.toolCallId, output: event.output } : undefined
    case 'tool-output-error':
      return 'errorText' in event ? { type: 'tool_result', id: event.toolCallId, error: event.errorText } : undefined
    case 'tool-approval-request':
      return 'approvalId' in event
        ? {
            type: 'approval',
            id: event.approvalId,
            tool_call: event.toolCallId,
            text: event.reason ?? 'May this be done?',
          }
        : undefined
    default:
      return undefined
  }
}
