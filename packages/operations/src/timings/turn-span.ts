import { usage } from '@sibyl/protocol'
import * as z from 'zod'

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
  code: z.string().optional().meta({ description: 'With `failed`: the code of the error of the tool' }),
})

export type TurnSpan = z.infer<typeof turnSpan>
