import { z } from 'zod'

/** The variables of the plugin. */
export const creditsEnv = z.object({
  CREDITS_DEFAULT_GRANT: z
    .string()
    .optional()
    .meta({
      description: 'Credits that each person gets at first. Blank and with no grant made: usage is metered only.',
      example: '100',
    }),
  CREDITS_PRICE_FILE: z
    .string()
    .optional()
    .meta({ description: 'A JSON file with the prices of models and tools.', example: './prices.json' }),
})

/** What they say. */
export type CreditsEnv = z.output<typeof creditsEnv>
