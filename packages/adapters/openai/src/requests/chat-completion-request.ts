import { z } from 'zod'
import { openaiErrors } from '../errors/openai-errors.ts'
import { messageContent } from './message-text.ts'

const chatMessage = z.looseObject({ role: z.string().max(40), content: messageContent.nullish() })

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
  tools: z.array(z.unknown()).nullish(),
  functions: z.array(z.unknown()).nullish(),
  response_format: z.looseObject({ type: z.string().max(100) }).nullish(),
})

export type ChatCompletionRequest = z.output<typeof chatCompletionRequest>

/**
 * Rejects what the oracle cannot do and the client would miss in the answer.
 *
 * @throws `openai_not_supported`
 */
export const checkSupported = ({
  n,
  tools,
  functions,
  response_format: format,
}: Pick<ChatCompletionRequest, 'n' | 'tools' | 'functions' | 'response_format'>): void => {
  const unsupported = (what: string) => openaiErrors.openai_not_supported({ what })
  if ((n ?? 1) !== 1) throw unsupported('`n` other than 1')
  if (tools?.length || functions?.length) throw unsupported('`tools`: the oracle brings its own, and')
  if (format && format.type !== 'text') throw unsupported(`\`${format.type}\` as the form of the answer`)
}
