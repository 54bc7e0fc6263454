import { turnSpan } from '@sibyl/core/records'
import { outcome, usage } from '@sibyl/protocol'
import * as z from 'zod'

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

export type TurnTiming = z.infer<typeof turnTiming>
