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

/** A turn of a person for operators: without the times of its parts. */
export const personTurn = turnTiming.omit({ spans: true, omittedSpans: true }).extend({
  sessionId: z.string().optional().meta({ description: 'Only of your own turns' }),
  tools: z.array(z.string()).meta({ description: 'The tools that it called' }),
})

export type PersonTurn = z.infer<typeof personTurn>
export type TurnTiming = z.infer<typeof turnTiming>
