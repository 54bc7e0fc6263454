import { chatLimits, jsonValue } from '@sibyl/protocol'
import { z } from 'zod'
import type { CompletionRequest } from '../answers/start-completion.ts'
import { answerForm } from '../requests/answer-form.ts'
import { byName } from '../requests/conversation.ts'
import { chosenTools, functionFields, otherTypes } from '../requests/function-tool.ts'

const functionTool = z.looseObject({ type: z.string().max(100), function: functionFields })

const message = z.looseObject({
  role: z.string().max(40),
  content: z
    .string()
    .max(chatLimits.messageCharacters * 4)
    .nullish(),
  /** In base64. */
  images: z.array(z.string()).max(20).nullish(),
  /** Of a result: the name of the tool, since Ollama's calls had no ids. */
  tool_name: z.string().max(100).nullish(),
  tool_call_id: z.string().max(200).nullish(),
})

/** Body of `POST /api/chat`. Options of the model are accepted and have no effect. */
export const ollamaRequest = z.looseObject({
  model: z.string().max(200),
  messages: z.array(message).min(1).max(1_000),
  tools: z.array(functionTool).max(chatLimits.clientTools).nullish(),
  stream: z.boolean().nullish(),
  format: z.union([z.literal(''), z.literal('json'), z.record(z.string(), jsonValue)]).nullish(),
})

/** Returns a request of Ollama as one for a completion. Throws `openai_not_supported`. */
export const readOllamaRequest = ({ messages, tools, format }: z.output<typeof ollamaRequest>): CompletionRequest => ({
  messages: messages.map(({ role, content, images, tool_name: name, tool_call_id: id }) => ({
    role,
    tool_call_id: id ?? (name ? `${byName}${name}` : null),
    content: images?.length ? [{ type: 'text', text: content ?? '' }, ...images.map(imageOf)] : content,
  })),
  tools: chosenTools(
    (tools ?? []).filter(({ type }) => type === 'function').map(tool => tool.function),
    otherTypes(tools),
    undefined,
  ),
  outputSchema: typeof format === 'object' && format ? format : answerForm(format === 'json' ? 'json_object' : 'text'),
})

/** Pictures have no media type; their first bytes in base64 tell it. */
const mediaTypes = { iVBORw0KGgo: 'image/png', R0lGOD: 'image/gif', UklGR: 'image/webp' }

const imageOf = (data: string) => {
  const found = Object.entries(mediaTypes).find(([start]) => data.startsWith(start))
  return { type: 'image_url', image_url: { url: `data:${found?.[1] ?? 'image/jpeg'};base64,${data}` } }
}
