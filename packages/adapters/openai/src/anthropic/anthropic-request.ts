import { chatLimits } from '@sibyl/protocol'
import { z } from 'zod'
import type { CompletionRequest } from '../answers/start-completion.ts'
import type { ClientMessage } from '../requests/conversation.ts'
import { chosenTools, functionFields } from '../requests/function-tool.ts'

const source = z.looseObject({
  type: z.string().max(40),
  media_type: z.string().max(255).optional(),
  data: z.string().optional(),
})

const block = z.looseObject({
  type: z.string().max(100),
  text: z.string().optional(),
  source: source.optional(),
  title: z.string().max(1_000).nullish(),
  tool_use_id: z.string().max(200).optional(),
  content: z
    .union([z.string(), z.array(z.looseObject({ type: z.string().max(100), text: z.string().optional() }))])
    .nullish(),
})

type Block = z.output<typeof block>

const content = z.union([z.string(), z.array(block).max(1_000)])

const tool = z.looseObject({
  type: z.string().max(100).nullish(),
  name: functionFields.shape.name,
  description: functionFields.shape.description,
  input_schema: functionFields.shape.parameters,
})

/** Body of `POST /v1/messages` of the Anthropic API. Settings of the model are accepted and have no effect. */
export const messagesRequest = z.looseObject({
  model: z.string().max(200),
  messages: z
    .array(z.looseObject({ role: z.enum(['user', 'assistant', 'system']), content }))
    .min(1)
    .max(1_000),
  system: content.nullish(),
  stream: z.boolean().nullish(),
  tools: z.array(tool).max(chatLimits.clientTools).nullish(),
  tool_choice: z.looseObject({ type: z.string().max(40), name: z.string().max(100).optional() }).nullish(),
})

/** Returns a request of the Anthropic API as one for a completion. Throws `openai_not_supported`. */
export const readMessagesRequest = (request: z.output<typeof messagesRequest>): CompletionRequest => {
  const { messages, system, tools, tool_choice: choice } = request
  const own = (tools ?? []).filter(({ type }) => (type ?? 'custom') === 'custom')
  const functions = own.map(({ input_schema: parameters, ...rest }) => ({ ...rest, parameters }))
  const others = new Set((tools ?? []).flatMap(({ type }) => ((type ?? 'custom') === 'custom' ? [] : [type ?? ''])))
  return {
    messages: [
      ...(system ? [{ role: 'system', content: textOf(system) }] : []),
      ...messages.flatMap(({ role, content }) =>
        role === 'user' ? userMessages(content) : [{ role, content: textOf(content) }],
      ),
    ],
    tools: chosenTools(functions, [...others], choiceOf(choice)),
  }
}

const choiceOf = (choice: z.output<typeof messagesRequest>['tool_choice']) => {
  if (choice?.type === 'tool') return { type: 'function', name: choice.name ?? '' }
  return choice?.type === 'any' ? 'required' : choice?.type
}

const textOf = (content: string | readonly { readonly type: string; readonly text?: string | undefined }[]): string =>
  typeof content === 'string'
    ? content
    : content.flatMap(({ type, text }) => (type === 'text' ? (text ?? []) : [])).join('\n')

/** Returns the results of a message and its text; a text beside results belongs to the last one. */
const userMessages = (content: string | readonly Block[]): ClientMessage[] => {
  if (typeof content === 'string') return [{ role: 'user', content }]
  const results = content.flatMap(one =>
    one.type === 'tool_result' && one.tool_use_id
      ? [{ role: 'tool', tool_call_id: one.tool_use_id, content: textOf(one.content ?? '') }]
      : [],
  )
  const last = results.at(-1)
  if (!last) return [{ role: 'user', content: content.map(partOf) }]
  const text = textOf(content)
  return [...results.slice(0, -1), { ...last, content: [last.content, text].filter(part => part !== '').join('\n\n') }]
}

/** Returns a block as a part of a chat completion; one that cannot be read keeps its type. */
const partOf = ({ type, text, source, title }: Block) => {
  if (type === 'text') return { type, text: text ?? '' }
  const url = source?.type === 'base64' ? `data:${source.media_type};base64,${source.data ?? ''}` : undefined
  if (type === 'image' && url) return { type: 'image_url', image_url: { url } }
  if (type === 'document' && url) return { type: 'file', file: { file_data: url, filename: title ?? null } }
  if (type === 'document' && source?.type === 'text') return { type: 'text', text: source.data ?? '' }
  return { type }
}
