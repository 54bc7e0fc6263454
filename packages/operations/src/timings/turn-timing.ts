import { outcome, usage } from '@sibyl/protocol'
import * as z from 'zod'
import { turnSpan } from './turn-span.ts'

const milliseconds = z.number().min(0)

/** The timings and counts of an ended turn. */
export const turnTiming = z.object({
  turnId: z.string(),
  channel: z.string(),
  model: z.string(),
  startedAt: z.iso.datetime({ offset: true }),
  durationMs: milliseconds,
  outcome,
  code: z.string().optional().meta({ description: 'The code of the error that ended it' }),
  usage,
  cost: z.number().optional().meta({ description: 'In credits; absent if turns have no price' }),
  spans: z.array(turnSpan),
  omittedSpans: z.int().min(0).meta({ description: 'Spans beyond the most that are stored' }),
})

/** A turn for operators, who see no text of a conversation. */
export const trace = turnTiming.extend({
  did: z.string().meta({ description: 'The user' }),
  sessionId: z.string().optional().meta({ description: 'Only of your own turns' }),
})

/** Results of turns that a list can be limited to. */
export const traceResult = z.enum([...outcome.options, 'error', 'tool-error']).meta({
  description:
    'Only turns with this outcome. `error`: failed or interrupted. `tool-error`: with a tool call that failed',
})

export type Trace = z.infer<typeof trace>
export type TraceResult = z.infer<typeof traceResult>
export type TurnTiming = z.infer<typeof turnTiming>
