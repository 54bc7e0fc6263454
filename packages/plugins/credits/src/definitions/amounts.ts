import { z } from 'zod'

/** An amount in millionths of a credit: a whole number, never a float. */
export type Micro = bigint

/** Millionths in a credit. */
const perCredit = 1_000_000n

/** Largest amount in input, in credits. */
const maxCredits = 1_000_000_000n

const form = /^(-?)(\d{1,10})(?:\.(\d{1,6}))?$/

/** Parses an amount such as '12.5'; undefined if it is invalid or above `maxCredits`. */
export const parseAmount = (text: string): Micro | undefined => {
  const [, minus, whole, part = ''] = form.exec(text) ?? []
  if (whole === undefined) return undefined
  const micro = BigInt(whole) * perCredit + BigInt(part.padEnd(6, '0'))
  if (micro > maxCredits * perCredit) return undefined
  return minus === '-' ? -micro : micro
}

/** Formats an amount for users, with its significant decimals. @example formatAmount(12_500_000n) // '12.5' */
export const formatAmount = (micro: Micro): string => {
  const size = micro < 0n ? -micro : micro
  const part = String(size % perCredit)
    .padStart(6, '0')
    .replace(/0+$/, '')
  return `${micro < 0n ? '-' : ''}${size / perCredit}${part === '' ? '' : `.${part}`}`
}

/** Formats an amount with its unit: '1 credit', '12.5 credits'. */
export const credits = (micro: Micro): string => `${formatAmount(micro)} ${micro === perCredit ? 'credit' : 'credits'}`

/** Converts an amount from the database. */
export const microOf = (stored: number | bigint | string | null): Micro => BigInt(stored ?? 0)

const isAmount = (text: string): boolean => parseAmount(text) !== undefined

export const amountText = z
  .string()
  .max(20)
  .regex(/^\d+(\.\d+)?$/, 'must be an amount of credits, such as 100 or 0.5')
  .refine(isAmount, `must have at most 6 decimals and be at most ${maxCredits}`)

/** Text of a nonzero amount; a minus takes credit away. */
export const signedAmountText = z
  .string()
  .max(20)
  .regex(/^-?\d+(\.\d+)?$/, 'must be an amount of credits in quotes, such as "100" or "-0.5"')
  .refine(isAmount, `must have at most 6 decimals and be at most ${maxCredits}`)
  .refine(text => parseAmount(text) !== 0n, 'must not be 0')
