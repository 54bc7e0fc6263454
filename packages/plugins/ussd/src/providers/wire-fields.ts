import { z } from 'zod'
import type { WireReply } from './ussd-provider.ts'

/** The longest text of a field, in characters; what a request may hold is checked after it was read. */
const maxCharacters = 2000

/** A text that some write as a number: `"1"` and `1` are both `1`. */
export const wireText = z.union([z.string().max(maxCharacters), z.number()]).transform(String)

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

/** An answer in JSON, with status 200. */
export const jsonReply = (body: Readonly<Record<string, unknown>>): WireReply => ({
  status: 200,
  contentType: 'application/json',
  body: JSON.stringify(body),
})

/** An answer as text, with status 200. */
export const textReply = (body: string): WireReply => ({ status: 200, contentType: 'text/plain', body })
