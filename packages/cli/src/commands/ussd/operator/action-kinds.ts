import { z } from 'zod'
import { formatCount } from '../../../output/format.ts'

/** What an operator does for a customer in two steps. */
export type ActionKind = 'reset' | 'unlock' | 'erase'

/** Whom an action is for. */
export interface ActionTarget {
  /** Whether a phone was named, and not a customer. */
  readonly isPhone: boolean
  /** How many customers that are. */
  readonly customers: number
}

/** Where each is asked for, and what it will do, in words. */
export const actionKinds: Readonly<
  Record<ActionKind, { readonly path: string; readonly words: (target: ActionTarget) => string }>
> = {
  reset: {
    path: '/customers/resets',
    words: ({ customers }) => `A new one-time PIN for ${counted(customers)}; the old PIN ends.`,
  },
  unlock: { path: '/customers/unlocks', words: target => `The locks of wrong PINs lifted for ${named(target)}.` },
  erase: {
    path: '/customers/erasures',
    words: ({ customers }) => {
      const among = customers === 0 ? '' : `, ${counted(customers)} among it`
      return `All that is kept of this phone erased${among}. Nothing brings it back.`
    },
  },
}

const counted = (customers: number): string => formatCount(customers, 'customer')

const named = ({ isPhone, customers }: ActionTarget): string => {
  if (!isPhone) return counted(customers)
  return customers === 0 ? 'this phone' : `this phone and ${counted(customers)}`
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
