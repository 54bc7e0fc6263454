import { z } from 'zod'
import { formatCount } from '../../../output/format.ts'

export type ActionKind = 'reset' | 'unlock' | 'erase'

export interface ActionTarget {
  /** Whether a phone was named, and not a customer. */
  readonly isPhone: boolean
  readonly customers: number
}

interface ActionTexts {
  readonly path: string
  readonly plan: (target: ActionTarget) => string
  /** What was done, once it is confirmed; the target is unknown where another command took the first step. */
  readonly done: (target?: ActionTarget) => string
}

export const actionKinds: Readonly<Record<ActionKind, ActionTexts>> = {
  reset: {
    path: '/customers/resets',
    plan: ({ customers }) => `This will give ${counted(customers)} a new one-time PIN; the old PIN ends.`,
    done: () => 'Made a new one-time PIN; the old PIN has ended.',
  },
  unlock: {
    path: '/customers/unlocks',
    plan: target => `This will lift the locks of wrong PINs for ${named(target)}.`,
    done: target => `Lifted the locks of wrong PINs${target === undefined ? '' : ` for ${named(target)}`}.`,
  },
  erase: {
    path: '/customers/erasures',
    plan: target => `This will erase all that is kept of this phone${among(target)}. It cannot be undone.`,
    done: target => `Erased all that was kept of this phone${target === undefined ? '' : among(target)}.`,
  },
}

const among = ({ customers }: ActionTarget): string => (customers === 0 ? '' : `, ${counted(customers)} among it`)

const counted = (customers: number): string => formatCount(customers, 'customer')

const named = ({ isPhone, customers }: ActionTarget): string => {
  if (!isPhone) return counted(customers)
  return customers === 0 ? 'this phone' : `this phone and ${counted(customers)}`
}

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
