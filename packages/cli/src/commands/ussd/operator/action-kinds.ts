import { z } from 'zod'
import { formatCount } from '../../../output/format.ts'

export type ActionKind = 'reset' | 'unlock' | 'erase'

export interface ActionTarget {
  /** Whether the target is a phone, not a customer. */
  readonly isPhone: boolean
  readonly customers: number
}

interface ActionTexts {
  readonly path: string
  readonly plan: (target: ActionTarget) => string
  /** Describes the confirmed action; the target is unknown if another command made the request. */
  readonly done: (target?: ActionTarget) => string
}

export const actionKinds: Readonly<Record<ActionKind, ActionTexts>> = {
  reset: {
    path: '/customers/resets',
    plan: ({ customers }) => `This gives ${counted(customers)} a new one-time PIN and invalidates the old PIN.`,
    done: () => 'Created a new one-time PIN and invalidated the old PIN.',
  },
  unlock: {
    path: '/customers/unlocks',
    plan: target => `This removes the locks after wrong PINs for ${named(target)}.`,
    done: target => `Removed the locks after wrong PINs${target === undefined ? '' : ` for ${named(target)}`}.`,
  },
  erase: {
    path: '/customers/erasures',
    plan: target => `This erases all stored data of this phone${among(target)}. It cannot be undone.`,
    done: target => `Erased all stored data of this phone${target === undefined ? '' : among(target)}.`,
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

/** The response to the confirmation: a one-time PIN for a reset. */
export const confirmedAction = z.union([
  z.object({ pin: z.string().regex(/^\d{4,8}$/), validUntil: z.iso.datetime() }),
  z.object({ done: z.literal(true) }),
])
