import { z } from 'zod'

/** The variables of this room. */
export const explorerEnv = {
  ENTITIES_EXPLORER: z.enum(['on', 'off']).optional().meta({
    description:
      'Whether GET /explorer serves a page that shows entities and claims in a browser, to whoever has an API key.',
    example: 'on',
    defaultText: 'on in development, else off',
  }),
}
