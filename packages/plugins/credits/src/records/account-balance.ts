import * as z from 'zod'

const amount = z.string().meta({ description: 'Credits, with up to 6 decimals', example: '98.5' })

/** The account of a user, as an operator reads it. */
export const accountBalance = z.object({
  did: z.string(),
  balance: amount,
  held: amount.meta({ description: 'The part of the balance that is held for running turns' }),
  usedToday: amount,
  turnsToday: z.int(),
})
