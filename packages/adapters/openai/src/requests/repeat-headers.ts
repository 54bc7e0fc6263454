import type { ClientRequest } from '@sibyl/plugin/host'
import { z } from 'zod'

/** Headers by which a repeated request is found. */
export const repeatHeaders = z.object({
  'idempotency-key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({ description: 'For a day, requests with the same key and body are one turn' }),
  /** Of the SDKs of OpenAI and Anthropic: how often this request was sent before. */
  'x-stainless-retry-count': z.string().max(20).optional(),
})

export const readRepeatHeaders = (headers: z.output<typeof repeatHeaders>): Pick<ClientRequest, 'key' | 'repeats'> => ({
  key: headers['idempotency-key'],
  repeats: Number(headers['x-stainless-retry-count'] ?? 0) > 0 ? 'ended' : undefined,
})
