import { z } from 'zod'
import { amountText } from './amounts.ts'

export const creditsEnv = z.object({
  CREDITS_DEFAULT_GRANT: amountText.optional().meta({
    description:
      'Credits that each person gets once, at first; 0 gives none. Turns then need credit. Blank: turns are metered and nobody is refused.',
    example: '100',
  }),
  CREDITS_PRICE_FILE: z.string().min(1).max(1_000).optional().meta({
    description: 'A JSON file with the prices of turns, models and tools.',
    example: './prices.json',
  }),
  CREDITS_BUDGET_PERSON_PER_DAY: amountText.optional().meta({
    description:
      'Most credits that a person may use in a day of UTC, also where turns are only metered. Blank or 0: no limit.',
    example: '50',
  }),
  CREDITS_BUDGET_ORACLE_PER_DAY: amountText.optional().meta({
    description: 'Most credits that all persons together may use in a day of UTC. Blank or 0: no limit.',
    example: '5000',
  }),
})

export type CreditsEnv = z.output<typeof creditsEnv>
