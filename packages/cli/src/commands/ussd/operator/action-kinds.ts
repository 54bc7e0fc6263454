import { z } from 'zod'

/** What an operator does for a customer in two steps. */
export type ActionKind = 'reset' | 'unlock' | 'erase'

/** Where each is asked for, and what it will do, in words. */
export const actionKinds: Readonly<
  Record<ActionKind, { readonly path: string; readonly words: (customers: string) => string }>
> = {
  reset: { path: '/customers/resets', words: customers => `A new one-time PIN for ${customers}; the old PIN ends.` },
  unlock: { path: '/customers/unlocks', words: customers => `The locks of wrong PINs lifted for ${customers}.` },
  erase: {
    path: '/customers/erasures',
    words: customers => `All that is kept of this phone erased, ${customers} among it. Nothing brings it back.`,
  },
}

/** What the oracle answers to the first step. */
export const waitingAction = z.object({
  id: z.uuid(),
  confirmation: z.string().regex(/^\w{1,40}$/),
  expiresAt: z.iso.datetime(),
  customers: z.int(),
})

/** What the oracle answers to the second step: a one-time PIN for a reset. */
export const confirmedAction = z.union([
  z.object({ pin: z.string().regex(/^\d{4,8}$/), validUntil: z.iso.datetime() }),
  z.object({ done: z.literal(true) }),
])
