import { z } from 'zod'
import { amountText } from './amounts.ts'

export const creditsEnv = z.object({
  CREDITS_DEFAULT_GRANT: amountText.optional().meta({
    description:
      'Credits that each user gets once, on first use; 0 gives none. Turns then need credit. Blank: turns are metered and no user is rejected.',
    example: '100',
  }),
  CREDITS_PRICE_FILE: z.string().min(1).max(1_000).optional().meta({
    description: 'A JSON file with the prices of turns, models and tools.',
    example: './prices.json',
  }),
  CREDITS_BUDGET_PERSON_PER_DAY: amountText.optional().meta({
    description: 'Most credits that a user may use in a UTC day, also if turns are only metered. Blank or 0: no limit.',
    example: '50',
  }),
  CREDITS_BUDGET_ORACLE_PER_DAY: amountText.optional().meta({
    description: 'Most credits that all users together may use in a UTC day. Blank or 0: no limit.',
    example: '5000',
  }),
})

export type CreditsEnv = z.output<typeof creditsEnv>
