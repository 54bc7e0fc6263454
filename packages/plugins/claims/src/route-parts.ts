import { routeAnswers } from '@sibyl/plugin'
import { z } from 'zod'
import type { Need } from './access/caller.ts'

/** Who may call a route: a key of `ENTITIES_API_KEYS`, or a UCAN with the ability. */
export const openTo = (ability: Need['ability']) => ({ apiKey: 'ENTITIES_API_KEYS', orUcan: ability }) as const

/** A JSON body that must be there; an answer in JSON; an answer that is a problem. */
export const { body, json, problem } = routeAnswers

/** How long a page is, and where it begins. */
export const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50).meta({ description: 'How many at most' }),
  cursor: z
    .string()
    .max(500)
    .optional()
    .meta({ description: 'What the page before gave as `next`; of the same filters' }),
})
