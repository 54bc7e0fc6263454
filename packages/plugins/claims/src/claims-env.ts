import { collectionId } from '@sibyl/protocol'
import { z } from 'zod'

/** The variables of this plugin. `ENTITIES_API_KEYS` belongs to the entities plugin, and opens these routes as well. */
export const claimsEnv = z.object({
  CLAIMS_REPORTS_COLLECTION: collectionId.optional().meta({
    description: 'The id of the collection that takes what people report by phone.',
    example: '01938f6a-7c1e-7b7a-9c55-3f1d1f1f7a55',
    defaultText: 'an inbox of its own, `reports`, made with the first report',
  }),
})

/** What the variables say. */
export type ClaimsEnv = z.output<typeof claimsEnv>
