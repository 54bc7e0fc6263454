import { jsonValue } from '@sibyl/protocol'
import * as z from 'zod'

const tokens = z.int().min(0).meta({ description: 'Estimated' })

/** A part of a message as the model reads it. */
export const promptPart = z.object({
  type: z.enum(['text', 'note', 'reasoning', 'tool-call', 'tool-result', 'file', 'other']).meta({
    description: '`note`: a text of the oracle and its plugins for this turn alone',
  }),
  text: z.string().meta({ description: 'The text, the JSON of a call or result, or the name and type of a file' }),
  isTruncated: z.boolean().optional(),
  tool: z.string().optional(),
  toolCallId: z.string().optional(),
})
export type PromptPart = z.infer<typeof promptPart>

/** A message as the model reads it. */
export const promptMessage = z.object({
  role: z.enum(['user', 'assistant', 'tool']),
  parts: z.array(promptPart),
  tokens,
})
export type PromptMessage = z.infer<typeof promptMessage>

/** `GET /sessions/:id/prompt`: what the model is sent for a message, computed again. */
export const sessionPromptRecord = z.object({
  messageId: z.string().meta({ description: 'The user message that it is the prompt of' }),
  model: z.string(),
  system: z.string(),
  systemTokens: tokens,
  messages: z.array(promptMessage),
  messageTokens: tokens,
  omittedMessages: z.int().min(0).meta({ description: 'The oldest messages, which did not fit' }),
  tools: z.array(
    z.object({
      name: z.string(),
      owner: z.string().meta({ description: '`core`, or the capability that it belongs to' }),
      description: z.string(),
      inputSchema: jsonValue.meta({ description: 'JSON Schema' }),
      tokens,
    }),
  ),
  toolTokens: tokens,
})
export type SessionPrompt = z.infer<typeof sessionPromptRecord>
