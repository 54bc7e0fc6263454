import { chatLimits, identifier, type JsonObject, jsonValue } from '@sibyl/protocol'
import { z } from 'zod'
import { openaiErrors } from '../errors/openai-errors.ts'
import { answerForm } from './answer-form.ts'
import type { ClientMessage } from './conversation.ts'
import { type ChosenTools, chosenTools, functionFields, otherTool, otherTypes, toolChoice } from './function-tool.ts'
import { messageContent } from './message-content.ts'

const inputItem = z.looseObject({
  type: z.string().max(100).nullish(),
  role: z.string().max(40).nullish(),
  content: messageContent.nullish(),
  /** Of `function_call_output`: the call of the result. */
  call_id: z.string().max(200).nullish(),
  output: messageContent.nullish(),
})

const functionTool = functionFields.extend({ type: z.literal('function') })

const responseFormat = z.looseObject({
  type: z.string().max(100),
  schema: z.record(z.string(), jsonValue).optional(),
})

/** Body of `POST /v1/responses`. Settings of the model, such as `temperature`, are accepted and have no effect. */
export const responseRequest = z.looseObject({
  model: z.string().max(200).optional(),
  input: z.union([z.string().max(200_000), z.array(inputItem).min(1).max(1_000)]),
  instructions: z.string().max(200_000).nullish(),
  previous_response_id: z.string().max(200).nullish(),
  conversation: z.union([identifier, z.looseObject({ id: identifier })]).nullish(),
  stream: z.boolean().nullish(),
  store: z.boolean().nullish(),
  background: z.boolean().nullish(),
  metadata: z.record(z.string().max(64), z.string().max(512)).nullish(),
  tools: z
    .array(z.union([functionTool, otherTool]))
    .max(chatLimits.clientTools)
    .nullish(),
  tool_choice: toolChoice.nullish(),
  text: z.looseObject({ format: responseFormat.nullish() }).nullish(),
})

export type ResponseRequest = z.output<typeof responseRequest>

/** Returns what a request says; its instructions count for this response alone. Throws `openai_not_supported`. */
export const responseMessages = ({ input, instructions, ...rest }: ResponseRequest): ClientMessage[] => {
  const unsupported = (what: string) => openaiErrors.openai_not_supported({ what })
  if (rest.background) throw unsupported('`background`')
  if (rest.previous_response_id && rest.conversation) throw unsupported('`previous_response_id` with `conversation`')
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : input.flatMap(messagesOf)
  return instructions?.trim() ? [{ role: 'system', content: instructions }, ...items] : items
}

/** Items that a client sends back as it got them; the session holds their content. */
const echoed: ReadonlySet<string> = new Set(['function_call', 'reasoning'])

const messagesOf = ({ type, role, content, call_id: callId, output }: z.output<typeof inputItem>): ClientMessage[] => {
  const kind = type ?? 'message'
  if (echoed.has(kind)) return []
  if (kind === 'function_call_output' && callId) return [{ role: 'tool', tool_call_id: callId, content: output }]
  if (kind !== 'message' || !role) {
    throw openaiErrors.openai_not_supported({ what: `An input item of the type '${kind.slice(0, 40)}'` })
  }
  return [{ role, content }]
}

/** Returns the tools of a request. Throws `openai_not_supported`. */
export const responseTools = ({
  tools,
  tool_choice: choice,
}: Pick<ResponseRequest, 'tools' | 'tool_choice'>): ChosenTools => {
  const functions = (tools ?? []).flatMap(tool => functionTool.safeParse(tool).data ?? [])
  return chosenTools(functions, otherTypes(tools), choice)
}

/**
 * Returns the schema of the answer; undefined for text.
 *
 * @throws `openai_not_supported`
 */
export const responseForm = ({ text }: Pick<ResponseRequest, 'text'>): JsonObject | undefined =>
  answerForm(text?.format?.type, text?.format?.schema)
