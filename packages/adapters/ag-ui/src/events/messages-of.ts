import type { AssistantMessage, ToolCall, ToolMessage } from '@ag-ui/core'
import type { SessionMessage } from '@sibyl/plugin/host'
import { z } from 'zod'
import type { AgUiMessage } from './ag-ui-event.ts'
import { partId } from './message-ids.ts'
import { resultText } from './result-text.ts'

const toolPart = z.looseObject({
  type: z.string(),
  toolName: z.string().optional(),
  toolCallId: z.string(),
  state: z.string(),
  input: z.unknown().optional(),
  output: z.unknown().optional(),
  errorText: z.string().optional(),
})

/** Returns the stored messages of a session as messages of AG-UI: each step of an answer is a message of its own. */
export const messagesOf = (stored: readonly SessionMessage[]): AgUiMessage[] =>
  stored.flatMap(({ id, role, parts }): AgUiMessage[] =>
    role === 'user' ? [{ id, role, content: textsOf(parts).join('\n') }] : answerMessages(id, parts),
  )

const textsOf = (parts: SessionMessage['parts']): string[] =>
  parts.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []))

const answerMessages = (id: string, parts: SessionMessage['parts']): AgUiMessage[] => {
  const steps: SessionMessage['parts'][number][][] = [[]]
  for (const part of parts) {
    if (part.type === 'step-start') steps.push([])
    else steps.at(-1)?.push(part)
  }
  return steps.flatMap((step, number) => stepMessages(partId(id, number), step))
}

const stepMessages = (id: string, parts: SessionMessage['parts']): AgUiMessage[] => {
  const content = textsOf(parts).join('\n')
  const toolCalls: ToolCall[] = []
  const results: ToolMessage[] = []
  for (const part of parts) {
    const { data: call } = toolPart.safeParse(part)
    if (!call) continue
    const { toolCallId } = call
    const name = call.toolName ?? call.type.replace(/^tool-/, '')
    const input = JSON.stringify(call.input ?? {})
    toolCalls.push({ id: toolCallId, type: 'function', function: { name, arguments: input } })
    const result = resultOf(call)
    if (result !== undefined) results.push({ id: `${toolCallId}.result`, role: 'tool', toolCallId, content: result })
  }
  if (content === '' && toolCalls.length === 0) return []
  const message: AssistantMessage = {
    id,
    role: 'assistant',
    ...(content === '' ? {} : { content }),
    ...(toolCalls.length > 0 ? { toolCalls } : {}),
  }
  return [message, ...results]
}

const resultOf = ({ state, output, errorText }: z.output<typeof toolPart>): string | undefined => {
  if (state === 'output-available') return resultText(output)
  if (state === 'output-error') return errorText ?? 'The tool failed.'
  return state === 'output-denied' ? deniedText : undefined
}

/** The result of a call that was denied. */
export const deniedText = 'The call was denied.'
