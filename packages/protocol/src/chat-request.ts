import * as z from 'zod'
import { jsonValue } from './json-value.ts'
import { messageParts } from './message-parts.ts'

/** The id of a session or message: 1 to 128 letters, digits and `_ . : -`. */
export const identifier = z
  .string()
  .regex(/^(?!\.{1,2}$)[\w.:-]{1,128}$/, 'expected 1 to 128 letters, digits or _ . : -')
  .meta({ description: '1 to 128 letters, digits or _ . : -' })

/** Limits of requests. */
export const chatLimits = {
  /** The longest text of one user message, in characters. */
  messageCharacters: 128_000,
  /** The most tools that a client brings. */
  clientTools: 128,
  /** The most characters of the reason of a decision. */
  decisionReason: 2_000,
} as const

const textPart = z.object({ type: z.literal('text'), text: z.string().max(chatLimits.messageCharacters) })
const otherPart = z.looseObject({ type: z.string().max(128) })

const charactersOf = (parts: readonly { readonly type: string; readonly text?: unknown }[]): number =>
  parts.reduce((sum, { type, text }) => sum + (type === 'text' && typeof text === 'string' ? text.length : 0), 0)

const parts = z.array(z.union([textPart, messageParts.file, otherPart])).max(500)

const toolResult = z
  .object({
    type: z.literal('tool-result'),
    toolCallId: z.string().max(128),
    toolName: z.string().max(128),
    output: z.object({ type: z.string(), value: z.unknown() }),
  })
  .transform(({ toolCallId, toolName, output: { type, value } }) => ({
    type: `tool-${toolName}`,
    toolCallId,
    ...(type.startsWith('error')
      ? { state: 'output-error', errorText: JSON.stringify(value) }
      : { state: 'output-available', output: value }),
  }))

const modelFile = messageParts.file
  .omit({ url: true })
  .extend({ data: messageParts.file.shape.url })
  .transform(({ data, ...file }) => ({
    ...file,
    url: /^[a-z]+:/.test(data) ? data : `data:${file.mediaType};base64,${data}`,
  }))

/** Content of a message for models, as `useDataStreamRuntime` of assistant-ui sends it; read as parts. */
const modelContent = z.union([
  z.string().transform(text => [{ type: 'text' as const, text }]),
  z.array(z.union([textPart, toolResult, modelFile, otherPart])).max(500),
])

/**
 * A message as clients of the AI SDK send it, or one for models; core reads the texts, files, results of tools and approval
 * answers, and nothing else.
 */
export const chatMessage = z
  .object({
    id: identifier.optional(),
    role: z.enum(['user', 'assistant', 'system', 'tool']),
    parts: parts.optional(),
    content: modelContent.optional(),
  })
  .transform(({ role, parts: given, content, ...message }, context) => {
    const read = given ?? content
    if (read) return { ...message, role: role === 'tool' ? ('assistant' as const) : role, parts: read }
    context.addIssue({ code: 'custom', path: ['parts'], message: 'expected `parts` or `content`' })
    return z.NEVER
  })
  .refine(({ role, parts }) => role !== 'user' || charactersOf(parts) <= chatLimits.messageCharacters, {
    path: ['parts'],
    message: `a user message may have ${chatLimits.messageCharacters} characters of text`,
  })

/** A tool that the client runs itself. */
export const clientTool = z.object({
  name: z.string().regex(/^[A-Za-z][\w-]{0,63}$/, 'expected a letter, then letters, digits, _ or -, at most 64'),
  description: z.string().max(32_000).default(''),
  /** JSON Schema of an object. */
  inputSchema: z.looseObject({ type: z.literal('object') }),
})

/** The body of `POST /chat`: a text, a message, or the whole client history of which only the last message counts. */
export const chatRequest = z
  .object({
    /** The session; made by the server when missing. */
    id: identifier.optional(),
    message: z.union([z.string().min(1).max(chatLimits.messageCharacters), chatMessage]).optional(),
    messages: z.array(chatMessage).min(1).max(2_000).optional(),
    trigger: z.enum(['submit-message', 'regenerate-message']).optional(),
    /** Tools that the client runs; send them with each request, also with their results. */
    clientTools: z.array(clientTool).max(chatLimits.clientTools).optional(),
    /** JSON Schema of the answer, whose text is then JSON of this form. */
    outputSchema: z.record(z.string(), jsonValue).optional(),
    /**
     * With `regenerate-message`: the answer to repeat; by default the last one. Otherwise: the user message that the new one
     * replaces, with everything after it.
     */
    messageId: identifier.optional(),
  })
  .refine(body => body.message !== undefined || body.messages !== undefined || body.trigger === 'regenerate-message', {
    message: 'expected `message` or `messages`',
  })

export type ChatMessage = z.infer<typeof chatMessage>

/** The body of `POST /chat/:id/approvals/:approvalId`. */
export const approvalDecision = z.object({
  /** `once` runs this call, `session` this tool for the rest of the session, `deny` refuses it. */
  decision: z.enum(['once', 'session', 'deny']),
  /** The data that the tool requested from the user (MCP elicitation). */
  data: jsonValue.optional(),
  /** Why, in the user's words; kept in the call's part as `approval.reason`, and shown to the model if the call was denied. */
  reason: z.string().min(1).max(chatLimits.decisionReason).optional(),
})
