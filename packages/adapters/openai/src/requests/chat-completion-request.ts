import { chatLimits, type JsonObject, jsonValue } from '@sibyl/protocol'
import { z } from 'zod'
import { openaiErrors } from '../errors/openai-errors.ts'
import { answerForm } from './answer-form.ts'
import { type ChosenTools, chosenTools, functionFields, otherTool, otherTypes, toolChoice } from './function-tool.ts'
import { messageContent } from './message-content.ts'

const chatMessage = z.looseObject({
  role: z.string().max(40),
  content: messageContent.nullish(),
  tool_call_id: z.string().max(200).nullish(),
})

const functionTool = z.looseObject({ type: z.literal('function'), function: functionFields })

const chatFormat = z.looseObject({
  type: z.string().max(100),
  json_schema: z.looseObject({ schema: z.record(z.string(), jsonValue).optional() }).optional(),
})

/**
 * Body of `POST /v1/chat/completions`. Settings of the model, such as `temperature`, are accepted and have no effect: the
 * oracle's configuration decides.
 */
export const chatCompletionRequest = z.looseObject({
  model: z.string().max(200).optional(),
  messages: z.array(chatMessage).min(1).max(1_000),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  n: z.int().nullish(),
  tools: z
    .array(z.union([functionTool, otherTool]))
    .max(chatLimits.clientTools)
    .nullish(),
  tool_choice: toolChoice.nullish(),
  functions: z.array(z.unknown()).nullish(),
  response_format: chatFormat.nullish(),
})

export type ChatCompletionRequest = z.output<typeof chatCompletionRequest>

/**
 * Rejects what the oracle cannot do and the client would miss in the answer.
 *
 * @throws `openai_not_supported`
 */
export const checkSupported = ({ n, functions }: Pick<ChatCompletionRequest, 'n' | 'functions'>): void => {
  const unsupported = (what: string) => openaiErrors.openai_not_supported({ what })
  if ((n ?? 1) !== 1) throw unsupported('`n` other than 1')
  if (functions?.length) throw unsupported('`functions`, replaced by `tools`,')
}

/** Returns the tools of a request. Throws `openai_not_supported`. */
export const completionTools = ({
  tools,
  tool_choice: choice,
}: Pick<ChatCompletionRequest, 'tools' | 'tool_choice'>): ChosenTools => {
  const functions = (tools ?? []).flatMap(tool => functionTool.safeParse(tool).data?.function ?? [])
  return chosenTools(functions, otherTypes(tools), choice)
}

/**
 * Returns the schema of the answer; undefined for text.
 *
 * @throws `openai_not_supported`
 */
export const completionForm = ({
  response_format: format,
}: Pick<ChatCompletionRequest, 'response_format'>): JsonObject | undefined =>
  answerForm(format?.type, format?.json_schema?.schema)
