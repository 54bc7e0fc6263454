import * as z from 'zod'

const time = z.iso.datetime()

/** An action of an operator that waits for its confirmation. */
export const waitingAction = z.object({
  id: z.string(),
  confirmation: z.string().meta({ description: 'The word that confirms it' }),
  expiresAt: time,
  customers: z.int().meta({ description: 'How many customers it is about' }),
})

/** Actions that operators asked for, the latest first. */
export const customerActions = z.object({
  actions: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(['reset', 'unlock', 'erase', 'export']),
      state: z.enum(['waiting', 'done', 'expired']),
      operator: z.string(),
      confirmedBy: z.string().optional(),
      reason: z.string().optional(),
      phoneNumber: z.string().optional().meta({ description: 'Missing once that phone is erased' }),
      customerId: z.string().optional(),
      requestedAt: time,
      doneAt: time.optional(),
    }),
  ),
})
