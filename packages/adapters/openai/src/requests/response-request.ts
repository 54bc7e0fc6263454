import { identifier } from '@sibyl/protocol'
import { z } from 'zod'
import { openaiErrors } from '../errors/openai-errors.ts'
import { type ClientMessage, type Conversation, readConversation } from './conversation.ts'
import { messageContent } from './message-text.ts'

const inputItem = z.looseObject({
  type: z.string().max(100).nullish(),
  role: z.string().max(40).nullish(),
  content: messageContent.nullish(),
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
  tools: z.array(z.unknown()).nullish(),
  text: z.looseObject({ format: z.looseObject({ type: z.string().max(100) }).nullish() }).nullish(),
})

export type ResponseRequest = z.output<typeof responseRequest>

/**
 * Reads what a request says; its instructions count for this response alone.
 *
 * @throws `openai_message_missing`, `openai_not_supported`
 */
export const readInput = ({ input, instructions, ...rest }: ResponseRequest): Conversation => {
  const unsupported = (what: string) => openaiErrors.openai_not_supported({ what })
  if (rest.tools?.length) throw unsupported('`tools`: the oracle brings its own, and')
  if (rest.background) throw unsupported('`background`')
  if (rest.previous_response_id && rest.conversation) throw unsupported('`previous_response_id` with `conversation`')
  const format = rest.text?.format?.type ?? 'text'
  if (format !== 'text') throw unsupported(`\`${format}\` as the form of the answer`)
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : input.map(messageOf)
  const conversation = readConversation(items)
  const given = [instructions ?? '', conversation.instructions].filter(text => text.trim() !== '')
  return { ...conversation, instructions: given.join('\n\n') }
}

const messageOf = ({ type, role, content }: z.output<typeof inputItem>): ClientMessage => {
  if ((type ?? 'message') !== 'message' || !role) {
    throw openaiErrors.openai_not_supported({ what: `An input item of the type '${(type ?? '').slice(0, 40)}'` })
  }
  return { role, content }
}
