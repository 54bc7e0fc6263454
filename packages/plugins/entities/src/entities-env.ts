import { z } from 'zod'
import { changesEnv } from './changes/changes-env.ts'
import { explorerEnv } from './explorer/explorer-env.ts'
import { historyEnv } from './history/history-env.ts'
import { searchEnv } from './search/search-env.ts'

/** The variables of this plugin, from all its rooms. */
export const entitiesEnv = z.object({
  ENTITIES_API_KEYS: z.string().max(100_000).optional().meta({
    description:
      'Who may write and read entities: `name:key[:scopes[:did]]`, separated by commas; scopes are `read` and `write`, joined by `+`.',
    example: 'field:the-output-of-openssl-rand-hex-24',
    defaultText: 'nobody by key; UCANs alone',
    secret: true,
  }),
  ...changesEnv,
  ...historyEnv,
  ...explorerEnv,
  ...searchEnv,
})

/** What the variables say. */
export type EntitiesEnv = z.output<typeof entitiesEnv>
