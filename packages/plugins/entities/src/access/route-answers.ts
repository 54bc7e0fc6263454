import { routeAnswers } from '@sibyl/plugin'
import { z } from 'zod'

/** What routes of this plugin answer, for their definitions. */
export const answers = {
  ...routeAnswers,
  headersOfEntity: z.object({
    location: z.string().meta({ description: 'Where the entity is read' }),
    etag: z.string().meta({ description: 'This state of it, for `If-Match`' }),
  }),
  headersOfChange: z.object({ etag: z.string().meta({ description: 'This state of it, for `If-Match`' }) }),
} as const
