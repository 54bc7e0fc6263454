import { z } from 'zod'

const megabytes = z.coerce.number().int().min(0).max(1_000_000_000)

const tokens = z.coerce.number().int().min(0).max(1_000_000_000_000)

/** The variables that limit the usage of the language model, and what users store in conversations. */
export const budgetEnv = {
  TOKEN_BUDGET_DID_PER_DAY: tokens.default(10_000_000).meta({
    description: 'Tokens that one DID may use in a UTC day, input and output together; 0 means unlimited.',
    example: '1000000',
  }),
  TOKEN_BUDGET_ORACLE_PER_DAY: tokens.default(200_000_000).meta({
    description: 'Tokens that the whole oracle may use in a UTC day; 0 means unlimited.',
    example: '50000000',
  }),
  CONVERSATIONS_QUOTA_MB: megabytes.default(200).meta({
    description:
      'Most megabytes that one user may store in conversations, stored responses and A2A tasks; 0 means unlimited.',
    example: '200',
  }),
  CONVERSATIONS_TOTAL_MB: megabytes.default(2_000).meta({
    description: 'Most megabytes that all users together may store there; 0 means unlimited.',
    example: '2000',
  }),
}
