import * as z from 'zod'
import { type Outcome, outcome, type Usage, usage } from './chat-event.ts'
import { type ServiceToken, serviceToken } from './service-token.ts'

const milliseconds = z.number().min(0)

/** A timed part of a turn. It contains no text of the conversation. */
export const turnSpan = z.object({
  kind: z.enum(['admission', 'prompt', 'wait', 'model', 'tool']).meta({
    description:
      '`admission`: plugins are asked. `prompt`: tools and prompt are put together. `wait`: for a person, before this turn. ' +
      '`model`: a step. `tool`: a tool call.',
  }),
  name: z.string().optional().meta({ description: 'The model or the tool' }),
  capability: z.string().optional().meta({ description: 'The capability of the tool, or `core`' }),
  toolCallId: z.string().optional(),
  agentCallId: z.string().optional().meta({ description: 'The tool call of the agent that it ran in' }),
  startMs: z.number().meta({ description: 'Milliseconds after the start of the turn; negative before it' }),
  durationMs: milliseconds,
  firstPartMs: milliseconds.optional().meta({ description: 'With `model`: the wait for the first part of the answer' }),
  usage: usage.optional(),
  outcome: z
    .string()
    .meta({ description: '`done`, `failed`, `asks`, `late`, `interrupted`, or the decision of a person' }),
})
export type TurnSpan = z.infer<typeof turnSpan>

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

/** The facts that decide what a turn costs. */
export interface PricedTurn {
  readonly outcome: Outcome
  readonly usage: Usage
  readonly model: string
  /** The number of runs of each tool, by name. */
  readonly tools: Readonly<Record<string, number>>
}

/** Prices of turns. */
export interface TurnPrices {
  /** Returns the cost of a turn in millionths of a credit; undefined if everything is free. */
  costOf(turn: PricedTurn): bigint | undefined
}

/** The service of the plugin that prices turns; core stores the cost with the timings of a turn. */
export const turnPrices: ServiceToken<TurnPrices> = serviceToken('turn-prices')
