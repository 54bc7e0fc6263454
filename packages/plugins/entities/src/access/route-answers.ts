import { routeAnswers } from '@sibyl/plugin'
import { z } from 'zod'

/** Common parts of the definitions of this plugin's routes. */
export const answers = {
  ...routeAnswers,
  headersOfEntity: z.object({
    location: z.string().meta({ description: 'URL of the entity' }),
    etag: z.string().meta({ description: 'Version of the entity, for `If-Match`' }),
  }),
  headersOfChange: z.object({ etag: z.string().meta({ description: 'Version of the entity, for `If-Match`' }) }),
} as const

/** The path parameter of routes of one entity. */
export const entityParams = z.object({
  did: z.string().max(500).meta({ description: "The entity's DID", example: 'did:web:localhost%253A3000:entities:0…' }),
})
