import type { StartedTurn, TurnResult } from '@sibyl/plugin'
import { questionData } from '@sibyl/protocol'
import { z } from 'zod'

const toolCallId = z.string()

const turnEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text-delta'), delta: z.string() }),
  z.object({ type: z.literal('tool-input-available'), toolCallId, toolName: z.string() }),
  z.object({ type: z.literal('tool-input-error'), toolCallId, toolName: z.string(), errorText: z.string() }),
  z.object({ type: z.literal('tool-output-available'), toolCallId, output: z.unknown() }),
  z.object({ type: z.literal('tool-output-error'), toolCallId, errorText: z.string() }),
  z.object({ type: z.literal('tool-output-denied'), toolCallId }),
  z.object({
    type: z.literal('tool-approval-request'),
    toolCallId,
    approvalId: z.string(),
    reason: z.string().optional(),
  }),
  z.object({ type: z.literal('data-question'), data: questionData }),
])

/** An event of a turn, as far as an MCP client gets something of it. */
export type KnownTurnEvent = z.output<typeof turnEvent>

/** The result of a tool call. */
export type CallResult = { readonly output: unknown } | { readonly error: string }

/** A question to the user that a turn ended with. */
export interface OpenQuestion {
  /** The id of its approval. */
  readonly id: string
  readonly text: string
  /** `approval`: whether a call may run. `question`: what a call asked while it ran. */
  readonly kind: 'approval' | 'question'
  /** JSON Schema of the answer to a question. */
  readonly schema?: Readonly<Record<string, unknown>>
}

/** A turn that has ended. */
export interface ReadTurn {
  readonly result: TurnResult
  /** The results of its calls, in the order in which they came. */
  readonly calls: readonly CallResult[]
  readonly questions: readonly OpenQuestion[]
}

/** Reads a turn to its end. @param follow Called with each event. */
export const readTurn = async (
  { events, finished }: StartedTurn,
  follow: (event: KnownTurnEvent) => void = () => {},
): Promise<ReadTurn> => {
  const calls: CallResult[] = []
  const questions = new Map<string, OpenQuestion>()
  for await (const { event } of events) {
    const { data } = turnEvent.safeParse(event)
    if (!data) continue
    follow(data)
    if (data.type === 'tool-output-available') calls.push({ output: data.output })
    if (data.type === 'tool-output-error' || data.type === 'tool-input-error') calls.push({ error: data.errorText })
    if (data.type === 'tool-output-denied') calls.push({ error: 'The user denied this call. It was not run.' })
    if (data.type === 'data-question') {
      const { approvalId: id, text, schema } = data.data
      questions.set(id, { id, text, kind: 'question', ...(schema ? { schema } : {}) })
    }
    if (data.type === 'tool-approval-request' && !questions.has(data.approvalId)) {
      questions.set(data.approvalId, { id: data.approvalId, text: data.reason ?? 'May this run?', kind: 'approval' })
    }
  }
  const result = await finished
  return { result, calls, questions: result.outcome === 'awaiting-approval' ? [...questions.values()] : [] }
}
