import { z } from 'zod'
import type { ReplyFault, WireReply } from './ussd-provider.ts'

/** The longest text of a field, in characters; what a request may hold is checked after it was read. */
const maxCharacters = 2000

/** A text that some write as a number: `"1"` and `1` are both `1`. What is no row of digits is no such number. */
export const wireText = z.union([z.string().max(maxCharacters), z.number().int().nonnegative()]).transform(String)

/** The same, with nothing for what is missing or null. */
export const optionalWireText = wireText.nullish().transform(given => given ?? '')

/** A word whose case does not matter, in small letters. */
export const wireWord = z
  .string()
  .max(40)
  .transform(given => given.trim().toLowerCase())

/** A count from 0, which some write as a text. */
export const wireCount = wireText.pipe(
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
)

/** Yes or no, which some write as a text or a digit. */
export const wireFlag = z
  .union([z.boolean(), z.enum(['true', 'false', '1', '0']), z.literal([0, 1])])
  .transform(given => given === true || given === 1 || given === 'true' || given === '1')

/** Something plain that is only given back. */
export const wireValue = z.union([z.string().max(maxCharacters), z.number(), z.boolean(), z.null()])

/** An answer in JSON, with status 200. */
export const jsonReply = (body: Readonly<Record<string, unknown>>): WireReply => ({
  status: 200,
  contentType: 'application/json',
  body: JSON.stringify(body),
})

/** An answer as text, with status 200. */
export const textReply = (body: string): WireReply => ({ status: 200, contentType: 'text/plain', body })

/**
 * The status of an answer without a screen: 200 where a phone is to show its words, as providers show those of no other;
 * 403 for a gateway that may not call, and 429 for too many requests.
 */
export const faultStatus = (fault: ReplyFault): number => {
  if (fault === 'refused') return 403
  return fault === 'rate-limited' ? 429 : 200
}
