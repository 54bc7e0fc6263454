import { normalPhone, readPhoneNumber } from '@sibyl/plugin/phones'
import { z } from 'zod'
import { narrowLimits } from '../text/measure.ts'
import type { ReplyError, WireReply } from './ussd-provider.ts'

/** Maximum length of a field, in characters; the content of a request is checked after parsing. */
const maxCharacters = 2000

/** Schema of text that some providers write as a number: `"1"` and `1` are both `1`. Only whole numbers are accepted. */
export const wireText = z.union([z.string().max(maxCharacters), z.number().int().nonnegative()]).transform(String)

/** The same, with undefined for missing and null values. */
export const optionalWireText = wireText.nullish().transform(given => given ?? '')

/** A case-insensitive word, in lower case. */
export const wireWord = z
  .string()
  .max(40)
  .transform(given => given.trim().toLowerCase())

/** A count from 0, which some providers write as text. */
export const wireCount = wireText.pipe(
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
)

/** A boolean, which some providers write as text or a digit. */
export const wireFlag = z
  .union([z.boolean(), z.enum(['true', 'false', '1', '0']), z.literal([0, 1])])
  .transform(given => given === true || given === 1 || given === 'true' || given === '1')

/** A scalar that is only returned. */
export const wireValue = z.union([z.string().max(maxCharacters), z.number(), z.boolean(), z.null()])

/** Settings of providers that send only the last answer, without a count of requests. */
export const lastAnswers = { textMode: 'last', limits: narrowLimits, duplicates: { windowMs: 2000 } } as const

/** Returns a JSON response with status 200. */
export const jsonReply = (body: Readonly<Record<string, unknown>>): WireReply => ({
  status: 200,
  contentType: 'application/json',
  body: JSON.stringify(body),
})

/** Returns a text response with status 200. */
export const textReply = (body: string): WireReply => ({ status: 200, contentType: 'text/plain', body })

/** Returns the status of a response without a screen: 200 if a phone should show its text, else 403 or 429. */
export const errorStatus = (violation: ReplyError): number => {
  if (violation === 'refused') return 403
  return violation === 'rate-limited' ? 429 : 200
}

/**
 * Returns a phone number in E.164 form. Providers send it in any form of `normalPhone`, also without its plus. Undefined for
 * anything but an international number.
 */
export const e164 = (given: string): string | undefined => {
  const plain = normalPhone(given)
  return readPhoneNumber(plain.startsWith('+') ? plain : `+${plain}`)
}

/**
 * Returns a complete USSD code: `*713*2#` for `713*2`; empty for anything else, such as the ID of a service without a
 * code.
 */
export const serviceCode = (given: string): string => inFull(/^\*?(\d+(?:\*\d+)*)#?$/, given)

/** Returns a complete dialed code; empty for anything else, such as digits without a star, which are an answer. */
export const dialledCode = (given: string): string => inFull(/^\*(\d+(?:\*\d+)*)#?$/, given)

const inFull = (form: RegExp, given: string): string => {
  const inner = given.length > maxCodeCharacters ? undefined : form.exec(given.trim())?.[1]
  return inner === undefined ? '' : `*${inner}#`
}

const maxCodeCharacters = 182
