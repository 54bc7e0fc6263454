import { chatLimits, usage } from '@sibyl/protocol'
import * as z from 'zod'

const milliseconds = z.number().min(0)

/** A way to answer a message. */
export const comparedVariant = z.object({
  model: z.string().min(1).max(200).optional().meta({ description: 'A model of the provider; by default `LLM_MODEL`' }),
  instructions: z.string().min(1).max(32_000).optional().meta({
    description: 'In place of the system prompt; by default that of the oracle',
  }),
})
export type ComparedVariant = z.infer<typeof comparedVariant>

/** The body of `POST /operator/compare`. */
export const comparisonRequest = z.object({
  message: z.string().min(1).max(chatLimits.messageCharacters),
  variants: z.array(comparedVariant).min(1).max(4),
})

/** The answer by a variant. */
export const comparedAnswer = z.object({
  model: z.string(),
  text: z.string(),
  usage,
  durationMs: milliseconds,
  firstPartMs: milliseconds.optional(),
  error: z.object({ code: z.string(), text: z.string() }).optional(),
})
export type ComparedAnswer = z.infer<typeof comparedAnswer>
